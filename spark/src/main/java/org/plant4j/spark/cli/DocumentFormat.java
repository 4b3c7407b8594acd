package org.plant4j.spark.cli;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.split;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF4;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.plant4j.UserError;
import org.plant4j.support.DidYouMean;

/**
 * Documents as files that Spark reads: the fields {@code id}, {@code text} and {@code codes} of Parquet, JSON lines or CSV,
 * or a directory of text files. JSON lines, CSV and text are those of the corpus formats with the same names.
 */
enum DocumentFormat {
    PARQUET("parquet", Map.of()),
    JSONL("json", Map.of("mode", "PERMISSIVE")),
    /** Quotes are doubled, texts may contain line breaks, codes are separated by {@code ;}. */
    CSV("csv", Map.of("mode", "PERMISSIVE", "header", "true", "multiLine", "true", "escape", "\"")),
    /** One document per file {@code ID.txt}, without codes. */
    TEXT("text", Map.of("wholetext", "true", "pathGlobFilter", "*.txt"));

    static final String ID = "id";
    static final String TEXT_COLUMN = "text";
    static final String CODES = "codes";

    /** Where Spark puts lines that it cannot parse; in its strict mode, it would print them. */
    private static final String CORRUPT = "_corrupt_record";

    private static final Column FILE = col("_metadata.file_path");

    private final String source;

    @SuppressWarnings("ImmutableEnumChecker") // made by Map.of
    private final Map<String, String> options;

    DocumentFormat(String source, Map<String, String> options) {
        this.source = source;
        this.options = options;
    }

    /** The name of Spark's data source. */
    String source() {
        return source;
    }

    /** The columns {@code id} and {@code text}. A document without them fails the job when it is read. */
    Dataset<Row> read(SparkSession spark, String path) {
        return documents(load(spark, path, false), false);
    }

    /** The columns {@code id}, {@code text} and {@code codes}, an array of strings. */
    Dataset<Row> readCoded(SparkSession spark, String path) {
        if (this == TEXT) {
            throw new UserError("Text files have no codes", path, "use jsonl, csv or parquet");
        }
        return documents(load(spark, path, true), true);
    }

    /** Like {@link #read}, for files that arrive in a directory. CSV files need exactly the columns id and text. */
    Dataset<Row> readStream(SparkSession spark, String directory, int maxFiles) {
        StructType schema = this == TEXT ? StructType.fromDDL("value string") : schema(false);
        return documents(
                spark.readStream()
                        .format(source)
                        .options(options)
                        .option("enforceSchema", false)
                        .option("maxFilesPerTrigger", maxFiles)
                        .schema(schema)
                        .load(directory),
                false);
    }

    private Dataset<Row> load(SparkSession spark, String path, boolean coded) {
        return switch (this) {
            case PARQUET, TEXT -> spark.read().format(source).options(options).load(path);
            case JSONL ->
                spark.read()
                        .format(source)
                        .options(options)
                        .schema(schema(coded))
                        .load(path);
            case CSV -> {
                StructType header =
                        spark.read().format(source).options(options).load(path).schema();
                yield spark.read()
                        .format(source)
                        .options(options)
                        .schema(header.add(CORRUPT, DataTypes.StringType))
                        .load(path);
            }
        };
    }

    private StructType schema(boolean coded) {
        StructType schema = new StructType().add(ID, DataTypes.StringType).add(TEXT_COLUMN, DataTypes.StringType);
        if (coded) {
            schema = schema.add(CODES, DataTypes.createArrayType(DataTypes.StringType));
        }
        return this == PARQUET ? schema : schema.add(CORRUPT, DataTypes.StringType);
    }

    private Dataset<Row> documents(Dataset<Row> rows, boolean coded) {
        if (this == TEXT) {
            Column name = functions.regexp_replace(col("_metadata.file_name"), "\\.txt$", "");
            return rows.select(functions.url_decode(name).as(ID), col("value").as(TEXT_COLUMN));
        }
        List<String> found = List.of(rows.schema().fieldNames());
        for (String name : coded ? List.of(ID, TEXT_COLUMN, CODES) : List.of(ID, TEXT_COLUMN)) {
            if (!found.contains(name)) {
                throw new UserError("There is no column '" + name + "'", source, DidYouMean.remedy(name, found));
            }
        }
        Column corrupt =
                found.contains(CORRUPT) ? col(CORRUPT) : functions.lit(null).cast(DataTypes.StringType);
        Column text = functions
                .udf((UDF4<String, String, String, String, String>) DocumentFormat::checked, DataTypes.StringType)
                .apply(col(ID), col(TEXT_COLUMN), corrupt, FILE);
        Dataset<Row> documents = rows.withColumn(TEXT_COLUMN, text);
        if (!coded) {
            return documents.select(col(ID).cast(DataTypes.StringType), col(TEXT_COLUMN));
        }
        Column codes = this == CSV ? split(functions.coalesce(col(CODES), functions.lit("")), ";") : col(CODES);
        return documents.select(col(ID).cast(DataTypes.StringType), col(TEXT_COLUMN), codes.as(CODES));
    }

    /** Returns the text of a valid document. Errors name the file and the id, but never quote the text. */
    private static String checked(@Nullable String id, @Nullable String text, @Nullable String corrupt, String file) {
        if (corrupt != null) {
            throw new UserError("A line cannot be parsed", file, "correct it; `plant corpus stats` names the line");
        }
        if (id == null || id.isBlank()) {
            throw new UserError("A document has no id", file, "add the field \"id\", or remove the document");
        }
        if (text == null || text.isBlank()) {
            throw new UserError(
                    "Document '" + id + "' has no text", file, "add the field \"text\", or remove the document");
        }
        return text;
    }
}
