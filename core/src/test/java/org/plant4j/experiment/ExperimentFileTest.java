package org.plant4j.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.UserError;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.pretrain.vectors.CbowWordVectors;
import org.plant4j.pretrain.vectors.PpmiWordVectors;

class ExperimentFileTest extends ExperimentFileTestCase {

    @Test
    void anUnknownCorpusFormatIsReportedWhenTheFileIsRead() throws IOException {
        UserError error = error("extends: prior", "name: mine", "corpus: {format: csvv, path: x}");
        assertThat(error.what()).contains("'csvv'");
        assertThat(error.remedy()).contains("'csv'");
        assertThat(error.where()).contains("mine.yaml", "corpus");
    }

    @Test
    void environmentVariablesAreSubstituted() throws IOException {
        String known = System.getenv("PATH");
        Experiment read = read(
                "extends: prior",
                "name: mine",
                "corpus:",
                "  format: csv",
                "  path: /x",
                "  options: {a: '<${PATH}>', b: '${PLANT4J_UNSET:$1 or else}', c: '${PLANT4J_UNSET:}'}",
                "code_sets: ['${PLANT4J_UNSET:books}/a.tsv']");
        assertThat(read.corpus().options())
                .containsEntry("a", "<" + known + ">")
                .containsEntry("b", "$1 or else")
                .containsEntry("c", "");
        assertThat(read.codeSets()).containsExactly(at("books/a.tsv"));
    }

    @Test
    void unsetVariablesWithoutDefaultAreReported() throws IOException {
        UserError error = error("extends: prior", "name: mine", "corpus: {format: csv, path: '${PLANT4J_UNSET}/x'}");
        assertThat(error.what()).contains("PLANT4J_UNSET");
        assertThat(error.where()).contains("mine.yaml");
        assertThat(error.remedy()).contains("PLANT4J_UNSET");
    }

    @Test
    void relativePathsAreResolvedAgainstTheDirectoryOfTheFile() throws IOException {
        Experiment read = read(
                "extends: laat",
                "name: mine",
                "corpus: {format: mimic4, path: data/mimic, options: {splits: s/split.csv, icd: 10}}",
                "unlabelled:",
                "  - {format: text, path: more}",
                "  - {format: mimic3, path: /elsewhere, options: {ids: ids}}",
                "code_sets: [a.tsv, /b.tsv]");
        assertThat(read.corpus().path()).isEqualTo(at("data/mimic"));
        assertThat(read.corpus().options())
                .containsEntry("splits", at("s/split.csv"))
                .containsEntry("icd", "10");
        assertThat(read.unlabelled().get(0).path()).isEqualTo(at("more"));
        assertThat(read.unlabelled().get(1).path())
                .isEqualTo(Path.of("/elsewhere").toString());
        assertThat(read.unlabelled().get(1).options()).containsEntry("ids", at("ids"));
        assertThat(read.codeSets())
                .containsExactly(at("a.tsv"), Path.of("/b.tsv").toString());
    }

    @Test
    void optionalCorpusSettingsDefaultToEmpty() throws IOException {
        Experiment read = read("extends: prior", "name: mine", "corpus: {format: csv, path: x, dev:, options: }");
        assertThat(read.corpus())
                .isEqualTo(new CorpusConfig("csv", at("x"), List.of(), List.of(), List.of(), Map.of()));
        assertThat(read.wordVectors()).isEmpty();
    }

    @Test
    void invalidYamlIsReportedWithItsLine() throws IOException {
        UserError error = error("extends: laat@demo", "name: mine", "training: {epochs: 3");
        assertThat(error.what()).contains("Invalid YAML");
        assertThat(error.where()).matches(".*mine\\.yaml:[34]");
        assertThat(error("extends: laat@demo", "name: a: b").where()).endsWith("mine.yaml:2");
        UserError twice = error("extends: laat@demo", "name: mine", "seed: 1", "seed: 2");
        assertThat(twice.what()).contains("seed");
        assertThat(twice.where()).endsWith("mine.yaml:4");
    }

    @Test
    void emptyAndMissingFilesAreReported() throws IOException {
        assertThat(error("").what()).contains("no settings");
        assertThat(error("# nothing").what()).contains("no settings");
        assertThat(error("- a", "- b").what()).contains("no settings");
        assertThat(error(directory.resolve("none.yaml")).what()).contains("does not exist");
        UserError encoder = error("extends: [plant-bert, lot/../encoders/mine/encoder.yaml]", "name: mine");
        assertThat(encoder.where())
                .isEqualTo(directory.resolve("encoders/mine/encoder.yaml").toString());
        assertThat(encoder.remedy()).contains("plant encoder import", "encoders");
        UserError latin = error(Files.write(directory.resolve("latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe9}));
        assertThat(latin.remedy()).contains("UTF-8");
        assertThat(error("extends: none.yaml", "name: mine").where()).contains("none.yaml");
        assertThat(error("extends: latt", "name: mine").remedy()).contains("'laat'");
        assertThat(error(directory).where()).contains(directory.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".", "..", ".hidden", "a/b", "a\\b", "a b", "a:b", "ñ", "''", "con", "NUL", "com1", "aux.x", "run.",
                "a*"
            })
    void namesThatAreNotPortableDirectoryNamesAreRejected(String name) throws IOException {
        UserError error = error("extends: prior@demo", "name: " + (name.equals("''") ? name : "'" + name + "'"));
        assertThat(error.what()).contains("cannot name a run directory");
        assertThat(error.where()).contains("name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"laat@demo", "a", "1", "console", "com10", "v1.2_x"})
    void portableNamesAreAccepted(String name) throws IOException {
        assertThat(read("extends: prior@demo", "name: '" + name + "'").name()).isEqualTo(name);
    }

    @Test
    void wordVectorsDefaultToPpmi() throws IOException {
        assertThat(read("extends: laat@demo", "name: mine").wordVectors().orElseThrow())
                .isInstanceOf(PpmiWordVectors.Config.class);
        Experiment other = read(
                "extends: laat",
                "name: mine",
                "corpus: {format: demo}",
                "word_vectors: {method: cbow, size: 100, window: 2, negatives: 3, smoothing: 0.75, subsample: 0.001,"
                        + " epochs: 1, learning_rate: 0.05, scale: 1.0}"); // does not inherit PPMI's settings
        assertThat(other.wordVectors()).contains(new CbowWordVectors.Config(100, 2, 3, 0.75, 0.001, 1, 0.05, 1));
        assertThat(ExperimentFile.toYaml(other)).contains("method: cbow");
        assertThat(error("extends: isd", "name: mine", "corpus: {format: demo}", "word_vectors: {method: glove}")
                        .remedy())
                .contains("ppmi or cbow");
        assertThat(error("extends: isd", "name: mine", "corpus: {format: demo}", "model: {encoder: {type: tree}}")
                        .remedy())
                .contains("convolutions");
    }
}
