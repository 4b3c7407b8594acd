package org.plant4j.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.UserError;
import org.plant4j.experiment.settings.SettingsTree;
import org.plant4j.model.baseline.Laat;

/** Settings keep the type that they are written with; nothing is converted, and YAML features that hide values fail. */
class SettingsTypesTest extends ExperimentFileTestCase {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "training.epochs | 1.9 | an integer",
                "training.epochs | 3.0 | an integer",
                "training.epochs | 1e3 | an integer",
                "training.epochs | 010 | an integer",
                "training.epochs | 1_000 | an integer",
                "training.epochs | 0x1F | an integer",
                "training.epochs | 1:30 | an integer",
                "training.epochs | \"5\" | an integer",
                "training.epochs | +5 | an integer",
                "training.epochs | true | an integer",
                "training.epochs | 99999999999 | an integer",
                "training.epochs | 99999999999999999999999 | an integer",
                "training.epochs | [5] | an integer",
                "training.learning_rate | fast | a number",
                "training.learning_rate | \"0.1\" | a number",
                "training.learning_rate | NaN | a number",
                "training.learning_rate | .nan | a number",
                "training.learning_rate | .inf | a number",
                "training.learning_rate | Infinity | a number",
                "training.learning_rate | 1e400 | a number",
                "training.prior_bias | 5 | true or false",
                "training.prior_bias | 0 | true or false",
                "training.prior_bias | yes | true or false",
                "training.prior_bias | off | true or false",
                "training.prior_bias | True | true or false",
                "training.prior_bias | \"true\" | true or false",
                "compute.precision | 1 | one of float32, bfloat16",
                "compute.precision | \"1\" | one of float32, bfloat16",
                "compute.precision | true | one of float32, bfloat16",
                "compute.device | 1.10 | one of auto, cpu, cuda",
                "compute.device | [cpu] | one of auto, cpu, cuda"
            })
    void aValueOfAnotherTypeIsAnErrorThatNamesKeyAndType(String key, String value, String type) throws IOException {
        String section = key.substring(0, key.indexOf('.'));
        UserError inFile = error(
                "extends: laat@demo",
                "name: mine",
                section + ": {" + key.substring(section.length() + 1) + ": " + value + "}");
        assertThat(inFile).isNotNull();
        assertThat(inFile.what()).contains("'" + key + "'").doesNotContain("org.plant4j", "java.");
        assertThat(inFile.where()).contains("mine.yaml");
        assertThat(inFile.remedy()).contains(type);
        assertThatThrownBy(() -> ExperimentFile.open("laat@demo", List.of(key + "=" + value)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'" + key + "'")
                .hasMessageContaining(type);
    }

    @Test
    void aMissingNumberIsNamed() throws IOException {
        for (String nothing : List.of("", "null", "~")) {
            assertThat(error("extends: laat@demo", "name: mine", "training: {epochs: " + nothing + "}")
                            .what())
                    .contains("'training.epochs'", "missing");
        }
        assertThat(error("extends: laat@demo", "name: mine", "code_sets: [null]")
                        .getMessage())
                .contains("code_sets", "mine.yaml");
    }

    @Test
    void plainNumbersAndTextsAreReadAsWritten() throws IOException {
        Experiment read = read(
                "extends: laat",
                "name: 2024",
                "seed: 123456789012",
                "corpus: {format: csv, path: \"1e3\", train: [010, 7, \"a\\Nb\"], dev: .inf, options: {fractions: 1/1/1, seed: 5}}",
                "training: {learning_rate: 1e-3, weight_decay: 0}",
                "model: {dropout: .5}");
        assertThat(read.name()).isEqualTo("2024");
        assertThat(read.seed()).isEqualTo(123456789012L);
        assertThat(read.corpus().train()).containsExactly("010", "7", "a\u0085b");
        assertThat(read.corpus().dev()).containsExactly(".inf");
        assertThat(ExperimentFile.toYaml(read)).contains("\".inf\"");
        assertThat(read.corpus().options()).containsEntry("seed", "5").containsEntry("fractions", "1/1/1");
        assertThat(read.training().learningRate()).isEqualTo(0.001);
        assertThat(read.training().weightDecay()).isZero();
        assertThat(((Laat.Config) read.model()).dropout()).isEqualTo(0.5);
        // written texts that look like numbers or have line breaks are quoted, so they read back as the same text
        Files.writeString(directory.resolve("copy.yaml"), ExperimentFile.toYaml(read));
        assertThat(ExperimentFile.read(directory.resolve("copy.yaml"), List.of()))
                .isEqualTo(read);
    }

    @Test
    void aPathThatIsANumberIsRelativeToItsFile() throws IOException {
        Experiment read = read("extends: prior", "name: mine", "corpus: {format: csv, path: 2024}", "code_sets: [7]");
        assertThat(read.corpus().path()).isEqualTo(at("2024"));
        assertThat(read.codeSets()).containsExactly(at("7"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            commentCharacter = '%',
            value = {
                "a: 1\\n---\\nb: 2 | second YAML document | :2",
                "a: &x 5 | anchors | :1",
                "a: 1\\nb: *x | aliases | :2",
                "a: &x {c: 1}\\nb: {<<: *x} | anchors | :1",
                "a: !!int 5 | tags | :1",
                "a: !laat {} | tags | :1",
                "a: 1\\nb: 2\\na: 3 | 'a' occurs twice | :3",
                "a: {b: 1, b: 2} | 'b' occurs twice | :1",
                "? [a]\\n: 5 | not a name | :1",
                "a: b: c | Invalid YAML | :1",
                "a:\\n\\t- b | Invalid YAML | :2",
                "[1, 2] | no settings | mine",
                "5 | no settings | mine",
                "# nothing | no settings | mine"
            })
    void yamlThatSettingsDoNotNeedIsRefusedWithItsLine(String yaml, String expected, String where) {
        assertThatThrownBy(() -> SettingsTree.parse(yaml.replace("\\n", "\n").replace("\\t", "\t"), "mine"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(expected)
                .hasMessageContaining(where);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1\n---\n2", "&a 5", "*a", "!!int 5", "{a: 1, a: 2}"})
    void overridesAreParsedLikeFiles(String value) {
        assertThatThrownBy(() -> ExperimentFile.open("laat@demo", List.of("training.epochs=" + value)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--set");
    }

    @Test
    void deepNestingAndHugeFilesAreRefused() {
        assertThatThrownBy(() -> SettingsTree.parse("a: " + "[".repeat(100_000), "mine"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("nested too deeply");
        assertThatThrownBy(() -> SettingsTree.parse("# " + "x".repeat(2_000_000), "mine"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("characters");
    }

    @Test
    void aLongChainOfFilesIsRefused() throws IOException {
        for (int i = 0; i < 3000; i++) {
            write("e" + i + ".yaml", "extends: e" + (i + 1) + ".yaml");
        }
        write("e3000.yaml", "extends: laat@demo");
        assertThat(error(directory.resolve("e0.yaml")).what()).contains("extends more than 100 files");
    }

    @Test
    void aDiamondThatDoublesOnEachLevelIsRefused() throws IOException {
        for (int i = 0; i < 24; i++) {
            String next = "d" + (i + 1) + ".yaml";
            write("d" + i + ".yaml", "extends: [" + next + ", " + next + "]");
        }
        write("d24.yaml", "extends: laat@demo");
        assertThat(error(directory.resolve("d0.yaml")).what()).contains("extends more than 100 files");
    }

    @Test
    void aCycleThroughModelAndCorpusIsFound() throws IOException {
        write("self.yaml", "extends: self.yaml@demo");
        assertThat(error(directory.resolve("self.yaml")).what()).contains("extends itself");
        write("a.yaml", "extends: b.yaml");
        write("b.yaml", "extends: a.yaml", "corpus: {format: demo}");
        assertThatThrownBy(() -> CorpusFile.open(directory.resolve("a.yaml").toString()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("extends itself");
    }

    @Test
    void whatAFileExtendsIsNamed() throws IOException {
        assertThat(error("extends: 5").what()).contains("'extends'", "5");
        assertThat(error("extends: [laat@demo, null]").what()).contains("'extends'", "null");
        assertThat(error("extends: {laat: demo}").what()).contains("'extends'");
    }

    @Test
    void sectionsOfACorpusFileMustBeSections() throws IOException {
        for (String wrong : List.of("models: 5", "models: {laat: 5}", "studies: [a]")) {
            write("corpus.yaml", "corpus: {format: demo}", wrong);
            assertThatThrownBy(() ->
                            CorpusFile.open(directory.resolve("corpus.yaml").toString()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("does not fit")
                    .hasMessageContaining("corpus.yaml");
        }
    }

    @Test
    void aPathThatNoFileCanHaveIsAnError() throws IOException {
        assertThat(error("extends: prior", "name: mine", "corpus: {format: csv, path: \"a\\0b\"}")
                        .what())
                .contains("Not a valid path");
        assertThat(error("extends: \"a\\0b.yaml\"").what()).contains("Not a valid path");
        assertThatThrownBy(() -> ExperimentFile.open("a\0b.yaml", List.of())).isInstanceOf(UserError.class);
    }
}
