package org.plant4j.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.model.baseline.Caml;
import org.plant4j.model.baseline.FrequencyPrior;
import org.plant4j.model.baseline.Laat;

/** Settings that a file inherits from the files it extends. */
class ExtendedExperimentTest extends ExperimentFileTestCase {

    @Test
    void aFileOverridesSettingsOfTheModelItExtends() throws IOException {
        Experiment read = read("extends: laat@demo", "name: mine", "training: {epochs: 3}");
        Experiment base = ExperimentFile.open("laat@demo", List.of());
        assertThat(read.name()).isEqualTo("mine");
        assertThat(read.training().epochs()).isEqualTo(3);
        assertThat(read.training().learningRate()).isEqualTo(base.training().learningRate());
        assertThat(read.model()).isEqualTo(base.model());
        assertThat(read.corpus()).isEqualTo(base.corpus());
    }

    @Test
    void laterFilesOverrideEarlierOnesAndTheFileOverridesAll() throws IOException {
        write("one.yaml", "seed: 5", "training: {epochs: 7, patience: 3}");
        write("two.yaml", "training: {epochs: 8, max_grad_norm: 2.0}");
        Experiment read =
                read("extends: [prior@demo, one.yaml, two.yaml]", "name: mine", "training: {max_grad_norm: 4.0}");
        assertThat(read.seed()).isEqualTo(5);
        assertThat(read.training().patience()).isEqualTo(3);
        assertThat(read.training().epochs()).isEqualTo(8);
        assertThat(read.training().maxGradNorm()).isEqualTo(4.0);
    }

    @Test
    void extendsIsResolvedAgainstTheDirectoryOfTheFile() throws IOException {
        Files.createDirectories(directory.resolve("deep/er"));
        write("deep/er/base.yaml", "extends: ../middle.yml", "corpus: {path: data.csv}");
        write("deep/middle.yml", "extends: prior", "corpus: {format: csv}", "code_sets: [books/a.tsv]");
        Experiment read = read("extends: deep/er/base.yaml", "name: mine");
        assertThat(read.corpus().path()).isEqualTo(at("deep/er/data.csv"));
        assertThat(read.codeSets()).containsExactly(at("deep/books/a.tsv"));
    }

    @Test
    void anotherModelTypeDoesNotInheritSettings() throws IOException {
        Experiment read = read(
                "extends: laat@demo",
                "name: mine",
                "model: {type: caml, embedding: 100, filters: 5, kernel: 3, dropout: 0.1, initial_bias: -3}");
        assertThat(read.model()).isEqualTo(new Caml.Config(100, 5, 3, 0.1, 0, -3));
        assertThat(read("extends: laat@demo", "name: mine", "model: {type: prior}")
                        .model())
                .isEqualTo(new FrequencyPrior.Config());
        UserError error = error("extends: laat@demo", "name: mine", "model: {type: caml, filters: 5}");
        assertThat(error.what()).contains("'model.", "missing");
    }

    @Test
    void theSameModelTypeInheritsSettings() throws IOException {
        Experiment read = read("extends: laat@demo", "name: mine", "model: {type: laat, hidden: 7}");
        assertThat(((Laat.Config) read.model()).hidden()).isEqualTo(7);
        assertThat(((Laat.Config) read.model()).embedding()).isEqualTo(100);
    }

    @Test
    void cyclesAreReported() throws IOException {
        write("a.yaml", "extends: b.yaml");
        write("b.yaml", "extends: a.yaml");
        UserError error = error("extends: a.yaml", "name: mine");
        assertThat(error.what()).contains("extends itself");
        assertThat(error.where()).contains("a.yaml");
        write("own.yaml", "extends: own.yaml");
        assertThat(error(directory.resolve("own.yaml")).what()).contains("extends itself");
    }

    @Test
    void aFileExtendedTwiceIsNotACycle() throws IOException {
        write("corpus.yaml", "extends: prior", "corpus: {format: demo}");
        write("a.yaml", "extends: corpus.yaml", "seed: 3");
        assertThat(read("extends: [corpus.yaml, a.yaml]", "name: mine").seed()).isEqualTo(3);
    }
}
