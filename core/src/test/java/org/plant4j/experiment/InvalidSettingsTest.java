package org.plant4j.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;

class InvalidSettingsTest extends ExperimentFileTestCase {

    @Test
    void unknownKeysAreReportedWithTheClosestName() throws IOException {
        UserError error = error("extends: laat@demo", "name: mine", "training: {lerning_rate: 1}");
        assertThat(error.what()).contains("'training.lerning_rate'");
        assertThat(error.where()).contains("mine.yaml");
        assertThat(error.remedy()).contains("'learning_rate'");
        assertThat(error("extends: laat@demo", "name: mine", "training: {learningRate: 1}")
                        .remedy())
                .contains("'learning_rate'");
        assertThat(error("extends: laat@demo", "nam: mine").remedy()).contains("'name'");
        UserError topLevel = error("extends: laat", "corpuss: {format: demo}");
        assertThat(topLevel.what()).contains("'corpuss'");
        assertThat(topLevel.remedy()).contains("'corpus'");
        assertThat(error("extends: laat@demo", "name: mine", "model: {hiden: 3}")
                        .what())
                .contains("'model.hiden'");
    }

    @Test
    void aMissingKeyIsNamed() throws IOException {
        assertThat(error("extends: laat@demo", "name:").what()).contains("'name'", "missing");
        assertThat(error("extends: laat", "name: mine").what()).contains("'corpus'", "missing");
        assertThat(error("extends: base", "name: mine", "corpus: {format: demo}")
                        .what())
                .contains("'model'", "missing");
        assertThat(error("extends: prior@demo", "name: mine", "model: {type: laat}")
                        .what())
                .contains("'model.embedding'", "missing");
        assertThat(error("name: mine", "corpus: {format: demo}").what()).contains("missing");
    }

    @Test
    void missingAndUnknownModelTypesAreReported() throws IOException {
        UserError wrong = error("extends: base", "name: mine", "corpus: {format: demo}", "model: {type: laaat}");
        assertThat(wrong.what()).contains("'laaat'");
        assertThat(wrong.remedy()).contains("'laat'");
        UserError none = error("extends: base", "name: mine", "corpus: {format: demo}", "model: {hidden: 3}");
        assertThat(none.what()).contains("model").doesNotContain("null", "org.plant4j", "JsonTypeInfo");
        assertThat(none.remedy()).contains("laat");
    }

    @Test
    void encoderSizesMustMatchTheLanguageModelForEveryModel() throws IOException {
        for (String base : List.of("plant", "isd", "pooled-bert", "description-attention")) {
            UserError other = error(
                    "extends: [" + base + ", awd-lstm]",
                    "name: mine",
                    "corpus: {format: demo}",
                    "model: {encoder: {hidden: 7}}");
            assertThat(other.what()).as(base).contains("language model");
        }
    }

    @Test
    void aMisspeltExtendsIsRecognized() throws IOException {
        assertThat(error("extnds: linear", "corpus: {format: demo}").remedy()).isEqualTo("did you mean 'extends'?");
    }

    @Test
    void aMisspeltKeyOfASectionIsNamedRatherThanTheMissingOne() throws IOException {
        UserError wrong = error("extends: linear", "name: mine", "corpus: {formta: csv, path: documents.csv}");
        assertThat(wrong.what()).isEqualTo("Unknown setting 'corpus.formta'");
        assertThat(wrong.remedy()).isEqualTo("did you mean 'format'?");
    }

    @Test
    void aValueOfTheWrongKindNamesItsSetting() throws IOException {
        assertThat(error("extends: laat@demo", "name: mine", "training: {epochs: many}")
                        .what())
                .contains("training.epochs", "many")
                .doesNotContain("org.plant4j", "java.");
        assertThat(error("extends: laat@demo", "name: mine", "training: {epochs: 0}")
                        .what())
                .contains("training.epochs: 0 (expected: >= 1)");
        assertThat(error("extends: laat@demo", "name: mine", "training: {batch_size: 0}")
                        .what())
                .contains("training", ">= 1");
        assertThat(error("extends: laat@demo", "name: mine", "training: {selection_metric: accuracy}")
                        .remedy())
                .contains("MAP");
        assertThat(error("extends: laat@demo", "name: mine", "training: 5").what())
                .contains("training");
        assertThat(error("extends: laat@demo", "name: mine", "evaluation: {thresholds: some}")
                        .remedy())
                .contains("per_label");
        assertThat(error("extends: laat@demo", "name: mine", "compute: {device: gpu}")
                        .remedy())
                .contains("cuda");
        assertThat(error("extends: laat@demo", "name: mine", "compute: {precision: float8}")
                        .what())
                .contains("compute.precision")
                .doesNotContain("org.plant4j");
        assertThat(error("extends: laat@demo", "name: mine", "compute: {threads: -1}")
                        .what())
                .contains("threads: -1");
        assertThat(error("extends: laat@demo", "name: mine", "evaluation: {bootstrap_samples: -1}")
                        .what())
                .contains("bootstrap_samples: -1");
        assertThat(error("extends: laat@demo", "name: mine", "evaluation: {predictions_per_document: 0}")
                        .what())
                .contains("predictions_per_document: 0");
        assertThat(error("extends: plant@demo", "name: mine", "evaluation: {shortlist_agreement: 99}")
                        .what())
                .contains("shortlist_agreement: 99");
        assertThat(error("extends: laat@demo", "name: mine", "evaluation: {shortlist_agreement: 0.99}")
                        .what())
                .contains("always scores all labels");
    }

    @Test
    void listsOfTheWrongTypeAreReported() throws IOException {
        assertThat(error("extends: prior@demo", "name: mine", "code_sets: {a: b}")
                        .what())
                .contains("code_sets");
        assertThat(error("extends: prior@demo", "name: mine", "unlabelled: texts")
                        .what())
                .contains("unlabelled");
        assertThat(error("extends: prior@demo", "name: mine", "unlabelled: [texts]")
                        .what())
                .contains("unlabelled");
        assertThat(error("extends: prior@demo", "name: mine", "corpus: data.csv")
                        .what())
                .contains("corpus");
    }
}
