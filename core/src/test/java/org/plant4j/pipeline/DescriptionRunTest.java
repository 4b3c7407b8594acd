package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Coder;
import org.plant4j.Evidence;
import org.plant4j.Explanation;
import org.plant4j.Suggestion;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.TinyEncoder;

/** Runs of models that read label descriptions, including their evidence. */
class DescriptionRunTest {

    private static final String TEXT = "Patient seen today with wheezing breath.";

    @TempDir
    Path directory;

    private TinyExperiment tiny;

    @BeforeEach
    void writeCorpus() {
        tiny = TinyExperiment.in(directory);
    }

    private Experiment wordLevelModel(String... overrides) {
        List<String> all = new ArrayList<>(List.of(
                "model.encoder={type: bilstm, embedding: 8, hidden: 8, dropout: 0}",
                "model.projection=8",
                "model.lexical=true",
                "model.dropout=0",
                "training.encoder_learning_rate_scale=1",
                "training.layer_decay=1",
                "training.epochs=12"));
        all.addAll(List.of(overrides));
        return tiny.described("description-attention", all.toArray(String[]::new));
    }

    private static List<String> texts(String text, List<Evidence> spans) {
        assertThat(spans)
                .allSatisfy(one -> assertThat(one.text())
                        .isEqualTo(text.substring(one.span().start(), one.span().end())));
        return spans.stream().map(Evidence::text).toList();
    }

    @Test
    void aCodeHasEvidenceInTheDocumentAndInItsDescription() {
        Path run = tiny.run(wordLevelModel());
        assertThat(run.resolve("descriptions.txt")).exists();
        try (Coder coder = Coder.load(run)) {
            Suggestion best = coder.code(TEXT).suggestions().get(0);
            assertThat(best.code()).isEqualTo("J45.909");
            assertThat(texts(TEXT, best.evidence()))
                    .anyMatch(word -> word.contains("wheezing") || word.contains("breath"));
            assertThat(coder.hasDescriptionEvidence()).isTrue();
            List<Explanation> explanations = coder.explain(TEXT, List.of("J45.909", "E11.9"));
            assertThat(explanations).hasSize(2);
            assertThat(texts("breath with wheezing", explanations.get(0).descriptionEvidence()))
                    .isNotEmpty();
        }
    }

    @Test
    void changedDescriptionsRequireAnotherRun() throws IOException {
        tiny.run(wordLevelModel("training.epochs=1"));
        Experiment again = wordLevelModel("training.epochs=1");
        Files.writeString(
                directory.resolve("code-set.tsv"), "code\tdescription\tparent\tvalid\nE11.9\tdiabetes\t\t1\n");
        assertThat(catchThrowableOfType(UserError.class, () -> tiny.run(again)))
                .hasMessageContaining("other settings or other data");
    }

    @Test
    void otherModelsHaveNoDescriptionEvidence() {
        try (Coder coder = Coder.load(tiny.run(tiny.prior()))) {
            assertThat(coder.hasDescriptionEvidence()).isFalse();
            assertThat(coder.explain(TEXT, "J45.909").descriptionEvidence()).isEmpty();
        }
    }

    @Test
    void bothModelsWorkWithAPretrainedEncoder() {
        TinyEncoder.write(directory.resolve("encoders/tiny"));
        String[] small = {"model.encoder.window=8", "model.encoder.overlap=3"};
        Path described = tiny.run(tiny.described("[description-attention, encoders/tiny/encoder.yaml]", small));
        try (Coder coder = Coder.load(described)) {
            assertThat(coder.code(TEXT).suggestions()).hasSize(4);
            for (Explanation explanation : coder.explain(TEXT, List.of("J45.909", "E11.9"))) {
                assertThat(explanation.descriptionEvidence())
                        .allSatisfy(one -> assertThat(one.span().end()).isLessThanOrEqualTo(20));
            }
        }
        Path pooled = tiny.run(tiny.described(
                "[pooled-bert, encoders/tiny/encoder.yaml]",
                small[0],
                small[1],
                "name=pooled",
                "training.loss=balanced"));
        try (Coder coder = Coder.load(pooled)) {
            assertThat(coder.code(TEXT).suggestions())
                    .hasSize(4)
                    .allSatisfy(code -> assertThat(code.evidence()).isEmpty());
        }
    }
}
