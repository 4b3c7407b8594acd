package org.plant4j.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Precision;
import org.plant4j.UserError;
import org.plant4j.model.baseline.Laat;

/** Settings that {@code --set} overrides. */
class SettingsOverrideTest extends ExperimentFileTestCase {

    @Test
    void overridesSetSingleValues() {
        Experiment read = ExperimentFile.open(
                "laat@demo",
                List.of(
                        "training.epochs=2",
                        "name=other",
                        "model.dropout=0.5",
                        "compute.precision=bfloat16",
                        "word_vectors=null",
                        "corpus.options.sizes=10/5/5",
                        "training.epochs=4"));
        assertThat(read.training().epochs()).isEqualTo(4);
        assertThat(read.name()).isEqualTo("other");
        assertThat(((Laat.Config) read.model()).dropout()).isEqualTo(0.5);
        assertThat(read.compute().precision()).isEqualTo(Precision.BFLOAT16);
        assertThat(read.wordVectors()).isEmpty();
        assertThat(read.corpus().options()).containsEntry("sizes", "10/5/5");
    }

    @Test
    void int8IsRefusedInExperimentsWhichTrain() {
        UserError error = catchThrowableOfType(
                UserError.class, () -> ExperimentFile.open("laat@demo", List.of("compute.precision=int8")));
        assertThat(error.what()).isEqualTo("int8 is for predictions only");
        assertThat(error.where()).contains("compute.precision");
        UserError stored = catchThrowableOfType(
                UserError.class, () -> ExperimentFile.open("plant@demo", List.of("model.label_precision=int8")));
        assertThat(stored.what() + stored.remedy()).contains("float32 or bfloat16");
    }

    @Test
    void pathsInOverridesAreRelativeToTheWorkingDirectory() throws IOException {
        write("mine.yaml", "extends: prior", "name: mine", "corpus: {format: csv, path: x}");
        Experiment read = ExperimentFile.read(
                directory.resolve("mine.yaml"), List.of("corpus.path=data/a.csv", "code_sets=[books/a.tsv]"));
        assertThat(read.corpus().path())
                .isEqualTo(Path.of("data/a.csv").toAbsolutePath().toString());
        assertThat(read.codeSets())
                .containsExactly(Path.of("books/a.tsv").toAbsolutePath().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"training.epochs", "=5", "", "training.epochs=", "training.epochs=[1", "training.epochs=a: b: c"
            })
    void malformedOverridesAreReported(String override) {
        UserError error =
                catchThrowableOfType(UserError.class, () -> ExperimentFile.open("laat@demo", List.of(override)));
        assertThat(error.where() + error.what()).contains("--set");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "training.epoch=5",
                "trainng.epochs=5",
                "training..epochs=5",
                "training=5",
                "training.epochs.more=5",
                "training.epochs=five",
                "unlabelled.path=x",
                "unlabelled.0.path=x",
                "corpus=x",
                "code_sets={a: b}",
                "model.type=caml",
                "model.type=x"
            })
    void overridesThatDoNotFitAreReported(String override) {
        UserError error =
                catchThrowableOfType(UserError.class, () -> ExperimentFile.open("laat@demo", List.of(override)));
        assertThat(error.getMessage()).contains("laat@demo").doesNotContain("org.plant4j.", "com.fasterxml");
    }
}
