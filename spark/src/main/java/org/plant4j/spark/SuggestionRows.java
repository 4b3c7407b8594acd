package org.plant4j.spark;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.plant4j.CodingResult;
import org.plant4j.Evidence;
import org.plant4j.Suggestion;
import org.plant4j.Trait;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Suggestions as rows of Spark, with the fields of their JSON form. {@code inDomain} and {@code reason} belong to the
 * document and are the same for all of its suggestions, so that an exploded column still has them.
 */
public final class SuggestionRows {

    private static final StructType EVIDENCE = new StructType()
            .add("start", DataTypes.IntegerType, false)
            .add("end", DataTypes.IntegerType, false)
            .add("text", DataTypes.StringType, false)
            .add("weight", DataTypes.DoubleType, false)
            .add("traits", DataTypes.createArrayType(DataTypes.StringType, false), false);

    private static final StructType SUGGESTION = new StructType()
            .add("code", DataTypes.StringType, false)
            .add("description", DataTypes.StringType, false)
            .add("score", DataTypes.DoubleType, false)
            .add("probability", DataTypes.DoubleType, false)
            .add("band", DataTypes.StringType, false)
            .add("predicted", DataTypes.BooleanType, false)
            .add("inDomain", DataTypes.BooleanType, false)
            .add("reason", DataTypes.StringType, true)
            .add("evidence", DataTypes.createArrayType(EVIDENCE, false), false);

    /** The type of a column of suggestions. Spans are in UTF-16 code units of the text. */
    public static final ArrayType TYPE = DataTypes.createArrayType(SUGGESTION, false);

    private SuggestionRows() {}

    public static Row[] of(CodingResult result) {
        return result.suggestions().stream()
                .map(suggestion -> row(result, suggestion))
                .toArray(Row[]::new);
    }

    private static Row row(CodingResult result, Suggestion suggestion) {
        return RowFactory.create(
                suggestion.code(),
                suggestion.description(),
                suggestion.score(),
                suggestion.probability(),
                suggestion.band().key(),
                suggestion.predicted(),
                result.inDomain(),
                result.domain().reason().orElse(null),
                suggestion.evidence().stream().map(SuggestionRows::row).toArray(Row[]::new));
    }

    private static Row row(Evidence evidence) {
        return RowFactory.create(
                evidence.span().start(),
                evidence.span().end(),
                evidence.text(),
                evidence.weight(),
                evidence.traits().stream().map(Trait::key).toArray(String[]::new));
    }

    /** Rows, arrays and Spark's sequences as lists, which can be compared. */
    public static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Row row) {
            return IntStream.range(0, row.size())
                    .mapToObj(i -> plain(row.get(i)))
                    .collect(Collectors.toList());
        }
        if (value instanceof Object[] array) {
            return Arrays.stream(array).map(SuggestionRows::plain).collect(Collectors.toList());
        }
        if (value instanceof scala.collection.Seq<?> sequence) {
            return plain(CollectionConverters.asJava(sequence).toArray());
        }
        return value;
    }
}
