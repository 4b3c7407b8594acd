package org.plant4j.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Coder;
import org.plant4j.CodingResult;
import org.plant4j.Document;
import org.plant4j.Trait;
import org.plant4j.UserError;
import org.plant4j.corpus.Split;

class PlantCoderTest {

    private static final List<Document> NOTES = DemoRun.documents(Split.TEST);

    private static Dataset<Row> documents;

    @BeforeAll
    static void parallelize() {
        List<Row> rows = new ArrayList<>();
        NOTES.forEach(note -> rows.add(RowFactory.create(note.id(), note.text())));
        rows.add(RowFactory.create("symbols", "12 / 34"));
        rows.add(RowFactory.create("missing", null));
        documents = LocalSpark.session()
                .createDataFrame(rows, StructType.fromDDL("id string, text string"))
                .repartition(3);
    }

    @Test
    void codesExactlyLikeTheCoder() {
        List<Row> coded = coder().setCodes(7).transform(documents).collectAsList();

        assertThat(coded).hasSize(NOTES.size() + 2);
        try (Coder coder = Coder.load(DemoRun.DIRECTORY)) {
            for (Row row : coded) {
                assertThat(SuggestionRows.plain(row.get(2)))
                        .isEqualTo(row.isNullAt(1) ? null : expected(coder.code(row.getString(1), 7)));
            }
        }
    }

    /** By hand, and not with {@link SuggestionRows}, which is what this tests; doubles compare exactly. */
    private static List<?> expected(CodingResult result) {
        return result.suggestions().stream()
                .map(suggestion -> Arrays.asList(
                        suggestion.code(),
                        suggestion.description(),
                        suggestion.score(),
                        suggestion.probability(),
                        suggestion.band().key(),
                        suggestion.predicted(),
                        result.inDomain(),
                        result.domain().reason().orElse(null),
                        suggestion.evidence().stream()
                                .map(evidence -> List.of(
                                        evidence.span().start(),
                                        evidence.span().end(),
                                        evidence.text(),
                                        evidence.weight(),
                                        evidence.traits().stream()
                                                .map(Trait::key)
                                                .toList()))
                                .toList()))
                .toList();
    }

    @Test
    void aBatchHasTheSameCodesAndEvidence() {
        Dataset<Row> alone = coder().transform(documents);
        Dataset<Row> batches = coder().setBatchSize(16).transform(documents);

        String withoutScores = "id, transform(suggestions, s -> struct(s.code, transform(s.evidence, e -> e.start)))";
        assertThat(select(batches, withoutScores)).isEqualTo(select(alone, withoutScores));
    }

    private static List<Row> select(Dataset<Row> coded, String columns) {
        return coded.sort("id")
                .selectExpr(columns.split(", (?=transform\\(sugg)"))
                .collectAsList();
    }

    @Test
    void fewerCodesAreExplained() {
        List<Row> counts = coder().setCodes(3)
                .setExplained(1)
                .transform(documents.where("id <> 'missing' and id <> 'symbols'"))
                .selectExpr("size(suggestions)", "size(suggestions[0].evidence) > 0", "size(suggestions[1].evidence)")
                .distinct()
                .collectAsList();

        assertThat(counts).containsExactly(RowFactory.create(3, true, 0));
    }

    @Test
    void aSavedPipelineCodesTheSame(@TempDir Path directory) throws IOException {
        PipelineModel model = new Pipeline()
                .setStages(new PipelineStage[] {coder().setCodes(2)})
                .fit(documents);
        String saved = directory.resolve("pipeline").toString();
        model.write().save(saved);

        Dataset<Row> coded = PipelineModel.load(saved).transform(documents);

        assertThat(coded.sort("id").collectAsList())
                .isEqualTo(model.transform(documents).sort("id").collectAsList());
    }

    @Test
    void wrongColumnsAndRunsAreErrorsOfTheUser() {
        assertThatThrownBy(() -> coder().setInputCol("txt").transform(documents))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("did you mean 'text'");
        assertThatThrownBy(() -> coder().setOutputCol("id").transform(documents))
                .isInstanceOf(UserError.class);
        assertThatThrownBy(() -> new PlantCoder().transform(documents)).isInstanceOf(UserError.class);
        assertThatThrownBy(() ->
                        coder().setRun("absent").transform(documents).limit(1).count())
                .rootCause()
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no such run on this executor");
    }

    private static PlantCoder coder() {
        return new PlantCoder().setRun(DemoRun.DIRECTORY.toString());
    }
}
