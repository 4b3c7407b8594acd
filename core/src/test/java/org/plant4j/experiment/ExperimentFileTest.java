package org.plant4j.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.UserError;
import org.plant4j.corpus.CorpusConfig;
import org.plant4j.lm.Cbow;
import org.plant4j.lm.WordVectors;
import org.plant4j.models.Caml;
import org.plant4j.models.EncoderConfig;
import org.plant4j.models.FrequencyPrior;
import org.plant4j.models.Isd;
import org.plant4j.models.Laat;
import org.plant4j.models.Plant;
import org.plant4j.nn.Precision;

class ExperimentFileTest {

    private static final Path OWN_EXPERIMENTS = Path.of("..", "experiments");

    @TempDir
    static Path ownFolder;

    @TempDir
    Path folder;

    @Test
    void aFileSaysOnlyWhatDiffersFromAPackagedOne() throws IOException {
        Experiment read = read("extends: demo-laat", "name: mine", "training: {epochs: 3}");
        Experiment base = ExperimentFile.packaged("demo-laat", List.of());
        assertThat(read.name()).isEqualTo("mine");
        assertThat(read.training().epochs()).isEqualTo(3);
        assertThat(read.training().learningRate()).isEqualTo(base.training().learningRate());
        assertThat(read.model()).isEqualTo(base.model());
        assertThat(read.corpus()).isEqualTo(base.corpus());
    }

    @Test
    void theLaterOfSeveralLiesOverTheEarlierAndTheFileOverBoth() throws IOException {
        write("one.yaml", "seed: 5", "training: {epochs: 7, patience: 3}");
        write("two.yaml", "training: {epochs: 8, clip: 2.0}");
        Experiment read = read("extends: [demo-prior, one.yaml, two.yaml]", "name: mine", "training: {clip: 4.0}");
        assertThat(read.seed()).isEqualTo(5);
        assertThat(read.training().patience()).isEqualTo(3);
        assertThat(read.training().epochs()).isEqualTo(8);
        assertThat(read.training().clip()).isEqualTo(4.0);
    }

    @Test
    void aFileInAnotherFolderExtendsFromThere() throws IOException {
        Files.createDirectories(folder.resolve("deep/er"));
        write("deep/er/base.yaml", "extends: ../middle.yml", "corpus: {path: data.csv}");
        write("deep/middle.yml", "extends: prior", "corpus: {format: csv}", "codebooks: [books/a.tsv]");
        Experiment read = read("extends: deep/er/base.yaml", "name: mine");
        assertThat(read.corpus().path()).isEqualTo(at("deep/er/data.csv"));
        assertThat(read.codebooks()).containsExactly(at("deep/books/a.tsv"));
    }

    @Test
    void anotherModelStartsFromACleanSheet() throws IOException {
        Experiment read = read(
                "extends: demo-laat",
                "name: mine",
                "model: {type: caml, embedding: 100, filters: 5, kernel: 3, dropout: 0.1, initial_bias: -3}");
        assertThat(read.model()).isEqualTo(new Caml.Config(100, 5, 3, 0.1, -3));
        assertThat(read("extends: demo-laat", "name: mine", "model: {type: prior}")
                        .model())
                .isEqualTo(new FrequencyPrior.Config());
        UserError error = error("extends: demo-laat", "name: mine", "model: {type: caml, filters: 5}");
        assertThat(error.what()).contains("'model.", "missing");
    }

    @Test
    void oneModelTypeKeepsTheSizesOfItsBase() throws IOException {
        Experiment read = read("extends: demo-laat", "name: mine", "model: {type: laat, hidden: 7}");
        assertThat(((Laat.Config) read.model()).hidden()).isEqualTo(7);
        assertThat(((Laat.Config) read.model()).embedding()).isEqualTo(100);
    }

    @Test
    void circlesAreTold() throws IOException {
        write("a.yaml", "extends: b.yaml");
        write("b.yaml", "extends: a.yaml");
        UserError error = error("extends: a.yaml", "name: mine");
        assertThat(error.what()).contains("circle");
        assertThat(error.where()).contains("a.yaml");
        write("own.yaml", "extends: own.yaml");
        assertThat(error(folder.resolve("own.yaml")).what()).contains("circle");
    }

    @Test
    void aBaseReachedByTwoWaysIsNoCircle() throws IOException {
        write("corpus.yaml", "extends: prior", "corpus: {format: demo}");
        write("a.yaml", "extends: corpus.yaml", "seed: 3");
        assertThat(read("extends: [corpus.yaml, a.yaml]", "name: mine").seed()).isEqualTo(3);
    }

    @Test
    void anUnknownKeyIsToldWithTheNearestName() throws IOException {
        UserError error = error("extends: demo-laat", "name: mine", "training: {lerning_rate: 1}");
        assertThat(error.what()).contains("'training.lerning_rate'");
        assertThat(error.where()).contains("mine.yaml");
        assertThat(error.remedy()).contains("'learning_rate'");
        assertThat(error("extends: demo-laat", "name: mine", "training: {learningRate: 1}")
                        .remedy())
                .contains("'learning_rate'");
        assertThat(error("extends: demo-laat", "nam: mine").remedy()).contains("'name'");
        assertThat(error("extends: demo-laat", "name: mine", "model: {hiden: 3}")
                        .what())
                .contains("'model.hiden'");
    }

    @Test
    void aMissingKeyIsNamed() throws IOException {
        assertThat(error("extends: demo-laat", "name:").what()).contains("'name'", "missing");
        UserError noName = error("extends: laat", "corpus: {format: demo}");
        assertThat(noName.what()).contains("'name'", "missing");
        assertThat(error("extends: laat", "name: mine").what()).contains("'corpus'", "missing");
        assertThat(error("extends: base", "name: mine", "corpus: {format: demo}")
                        .what())
                .contains("'model'", "missing");
        assertThat(error("extends: demo-prior", "name: mine", "model: {type: laat}")
                        .what())
                .contains("'model.embedding'", "missing");
        assertThat(error("name: mine", "corpus: {format: demo}").what()).contains("missing");
    }

    @Test
    void aModelWithoutATypeOrOfAnUnknownOneIsTold() throws IOException {
        UserError wrong = error("extends: base", "name: mine", "corpus: {format: demo}", "model: {type: laaat}");
        assertThat(wrong.what()).contains("'laaat'");
        assertThat(wrong.remedy()).contains("plant, laat, caml, isd");
        UserError none = error("extends: base", "name: mine", "corpus: {format: demo}", "model: {hidden: 3}");
        assertThat(none.what()).contains("model").doesNotContain("null", "org.plant4j", "JsonTypeInfo");
        assertThat(none.remedy()).contains("laat");
    }

    @Test
    void whateverModelReadsWithAnLstmFitsItsLanguageModel() throws IOException {
        for (String base : List.of("plant", "isd", "pooled-bert", "description-attention")) {
            UserError other = error(
                    "extends: [" + base + ", awd-lstm]",
                    "name: mine",
                    "corpus: {format: demo}",
                    "model: {encoder: {hidden: 7}}");
            assertThat(other.what()).as(base).contains("language model of another size");
        }
    }

    @Test
    void aValueOfTheWrongKindNamesItsSetting() throws IOException {
        assertThat(error("extends: demo-laat", "name: mine", "training: {epochs: many}")
                        .what())
                .contains("training.epochs", "many")
                .doesNotContain("org.plant4j", "java.");
        assertThat(error("extends: demo-laat", "name: mine", "training: {epochs: 0}")
                        .what())
                .contains("training", "epochs: 0 (expected: >= 1)");
        assertThat(error("extends: demo-laat", "name: mine", "training: {batch_documents: 0}")
                        .what())
                .contains("training", ">= 1");
        assertThat(error("extends: demo-laat", "name: mine", "training: {metric: accuracy}")
                        .remedy())
                .contains("MAP");
        assertThat(error("extends: demo-laat", "name: mine", "training: 5").what())
                .contains("training");
        assertThat(error("extends: demo-laat", "name: mine", "evaluation: {thresholds: some}")
                        .remedy())
                .contains("per_label");
        assertThat(error("extends: demo-laat", "name: mine", "compute: {device: gpu}")
                        .remedy())
                .contains("cuda");
        assertThat(error("extends: demo-laat", "name: mine", "compute: {precision: float8}")
                        .what())
                .contains("compute.precision")
                .doesNotContain("org.plant4j");
        assertThat(error("extends: demo-laat", "name: mine", "compute: {threads: -1}")
                        .what())
                .contains("threads: -1");
        assertThat(error("extends: demo-laat", "name: mine", "evaluation: {bootstrap: -1}")
                        .what())
                .contains("bootstrap: -1");
        assertThat(error("extends: demo-laat", "name: mine", "evaluation: {predictions: 0}")
                        .what())
                .contains("predictions: 0");
    }

    @Test
    void listsOfTheWrongKindAreToldAndNothingIsDropped() throws IOException {
        assertThat(error("extends: demo-prior", "name: mine", "codebooks: a.tsv")
                        .what())
                .contains("codebooks");
        assertThat(error("extends: demo-prior", "name: mine", "unlabelled: texts")
                        .what())
                .contains("unlabelled");
        assertThat(error("extends: demo-prior", "name: mine", "unlabelled: [texts]")
                        .what())
                .contains("unlabelled");
        assertThat(error("extends: demo-prior", "name: mine", "corpus: data.csv")
                        .what())
                .contains("corpus");
    }

    @Test
    void theFormatOfACorpusIsCheckedAtOnce() throws IOException {
        UserError error = error("extends: prior", "name: mine", "corpus: {format: csvv, path: x}");
        assertThat(error.what()).contains("'csvv'");
        assertThat(error.remedy()).contains("'csv'");
        assertThat(error.where()).contains("mine.yaml", "corpus");
    }

    @Test
    void variablesOfTheEnvironmentAreFilledIn() throws IOException {
        String known = System.getenv("PATH");
        Experiment read = read(
                "extends: prior",
                "name: mine",
                "corpus:",
                "  format: csv",
                "  path: /x",
                "  options: {a: '<${PATH}>', b: '${PLANT4J_UNSET:$1 or else}', c: '${PLANT4J_UNSET:}'}",
                "codebooks: ['${PLANT4J_UNSET:books}/a.tsv']");
        assertThat(read.corpus().options())
                .containsEntry("a", "<" + known + ">")
                .containsEntry("b", "$1 or else")
                .containsEntry("c", "");
        assertThat(read.codebooks()).containsExactly(at("books/a.tsv"));
    }

    @Test
    void anUnsetVariableWithoutDefaultIsTold() throws IOException {
        UserError error = error("extends: prior", "name: mine", "corpus: {format: csv, path: '${PLANT4J_UNSET}/x'}");
        assertThat(error.what()).contains("PLANT4J_UNSET");
        assertThat(error.where()).contains("mine.yaml");
        assertThat(error.remedy()).contains("PLANT4J_UNSET");
    }

    @Test
    void relativePathsAreMeantFromTheFilesFolder() throws IOException {
        Experiment read = read(
                "extends: prior",
                "name: mine",
                "corpus: {format: mimic4, path: data/mimic, options: {splits: s/split.csv, icd: 10}}",
                "unlabelled:",
                "  - {format: text, path: more}",
                "  - {format: mimic3, path: /elsewhere, options: {ids: ids}}",
                "codebooks: [a.tsv, /b.tsv]");
        assertThat(read.corpus().path()).isEqualTo(at("data/mimic"));
        assertThat(read.corpus().options())
                .containsEntry("splits", at("s/split.csv"))
                .containsEntry("icd", "10");
        assertThat(read.unlabelled().get(0).path()).isEqualTo(at("more"));
        assertThat(read.unlabelled().get(1).path())
                .isEqualTo(Path.of("/elsewhere").toString());
        assertThat(read.unlabelled().get(1).options()).containsEntry("ids", at("ids"));
        assertThat(read.codebooks())
                .containsExactly(at("a.tsv"), Path.of("/b.tsv").toString());
    }

    @Test
    void whatACorpusMayLeaveOutIsEmpty() throws IOException {
        Experiment read = read("extends: prior", "name: mine", "corpus: {format: csv, path: x, dev:, options: }");
        assertThat(read.corpus())
                .isEqualTo(new CorpusConfig("csv", at("x"), List.of(), List.of(), List.of(), java.util.Map.of()));
        assertThat(read.vectors()).isEmpty();
    }

    @Test
    void overridesSetSingleValues() {
        Experiment read = ExperimentFile.packaged(
                "demo-laat",
                List.of(
                        "training.epochs=2",
                        "name=other",
                        "model.dropout=0.5",
                        "compute.precision=bfloat16",
                        "vectors=null",
                        "corpus.options.sizes=10/5/5",
                        "training.epochs=4"));
        assertThat(read.training().epochs()).isEqualTo(4);
        assertThat(read.name()).isEqualTo("other");
        assertThat(((Laat.Config) read.model()).dropout()).isEqualTo(0.5);
        assertThat(read.compute().precision()).isEqualTo(Precision.BFLOAT16);
        assertThat(read.vectors()).isEmpty();
        assertThat(read.corpus().options()).containsEntry("sizes", "10/5/5");
    }

    @Test
    void pathsInOverridesAreMeantFromWhereTheCommandRuns() throws IOException {
        write("mine.yaml", "extends: prior", "name: mine", "corpus: {format: csv, path: x}");
        Experiment read = ExperimentFile.read(
                folder.resolve("mine.yaml"), List.of("corpus.path=data/a.csv", "codebooks=[books/a.tsv]"));
        assertThat(read.corpus().path())
                .isEqualTo(Path.of("data/a.csv").toAbsolutePath().toString());
        assertThat(read.codebooks())
                .containsExactly(Path.of("books/a.tsv").toAbsolutePath().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"training.epochs", "=5", "", "training.epochs=", "training.epochs=[1", "training.epochs=a: b: c"
            })
    void anOverrideThatSetsNothingIsTold(String override) {
        UserError error =
                catchThrowableOfType(UserError.class, () -> ExperimentFile.packaged("demo-laat", List.of(override)));
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
                "codebooks=x",
                "model.type=caml",
                "model.type=x"
            })
    void anOverrideThatFitsNowhereIsAnErrorOfTheUser(String override) {
        UserError error =
                catchThrowableOfType(UserError.class, () -> ExperimentFile.packaged("demo-laat", List.of(override)));
        assertThat(error.getMessage()).contains("demo-laat").doesNotContain("org.plant4j.", "com.fasterxml");
    }

    @Test
    void brokenYamlIsToldWithItsLine() throws IOException {
        UserError error = error("extends: demo-laat", "name: mine", "training: {epochs: 3");
        assertThat(error.what()).contains("not YAML");
        assertThat(error.where()).matches(".*mine\\.yaml:[34]");
        assertThat(error("extends: demo-laat", "name: a: b").where()).endsWith("mine.yaml:2");
        UserError twice = error("extends: demo-laat", "name: mine", "seed: 1", "seed: 2");
        assertThat(twice.what()).contains("seed");
        assertThat(twice.where()).endsWith("mine.yaml:4");
    }

    @Test
    void aFileWithoutSettingsOrNoFileAtAllIsTold() throws IOException {
        assertThat(error("").what()).contains("no settings");
        assertThat(error("# nothing").what()).contains("no settings");
        assertThat(error("- a", "- b").what()).contains("no settings");
        assertThat(error(folder.resolve("none.yaml")).what()).contains("no such experiment file");
        UserError encoder = error("extends: [plant-bert, lot/../encoders/mine/encoder.yaml]", "name: mine");
        assertThat(encoder.where())
                .isEqualTo(folder.resolve("encoders/mine/encoder.yaml").toString());
        assertThat(encoder.remedy()).contains("plant encoder import", "encoders");
        UserError latin = error(Files.write(folder.resolve("latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe9}));
        assertThat(latin.remedy()).contains("UTF-8");
        assertThat(error("extends: none.yaml", "name: mine").where()).contains("none.yaml");
        assertThat(error("extends: latt", "name: mine").remedy()).contains("'laat'");
        assertThat(error(folder).where()).contains(folder.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".", "..", ".hidden", "a/b", "a\\b", "a b", "a:b", "ñ", "''", "con", "NUL", "com1", "aux.x", "run.",
                "a*"
            })
    void namesThatNoFolderMayHaveEverywhereAreRefused(String name) throws IOException {
        UserError error = error("extends: demo-prior", "name: " + (name.equals("''") ? name : "'" + name + "'"));
        assertThat(error.what()).contains("cannot name a run folder");
        assertThat(error.where()).contains("name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo-laat", "a", "1", "console", "com10", "v1.2_x"})
    void usualNamesAreTaken(String name) throws IOException {
        assertThat(read("extends: demo-prior", "name: '" + name + "'").name()).isEqualTo(name);
    }

    @ParameterizedTest
    @MethodSource("demos")
    void aPackagedExperimentWrittenOutReadsBackEqual(String name) throws IOException {
        Experiment read = ExperimentFile.packaged(name, List.of("seed=7", "corpus.options.sizes=10/5/5"));
        write("mine.yaml", ExperimentFile.toYaml(read));
        assertThat(ExperimentFile.read(folder.resolve("mine.yaml"), List.of())).isEqualTo(read);
    }

    static List<String> demos() {
        return List.of("demo-prior", "demo-linear", "demo-caml", "demo-laat", "demo-plant", "demo-control");
    }

    @ParameterizedTest
    @MethodSource("bases")
    void everyPackagedBaseNeedsOnlyANameAndACorpus(String base) throws IOException {
        Experiment read = read("extends: " + base, "name: mine", "corpus: {format: csv, path: x.csv}");
        write("again.yaml", ExperimentFile.toYaml(read));
        assertThat(ExperimentFile.read(folder.resolve("again.yaml"), List.of())).isEqualTo(read);
    }

    static List<String> bases() {
        return List.of("prior", "linear", "caml", "laat", "plant", "plant-paper");
    }

    @ParameterizedTest
    @MethodSource("own")
    void everyExperimentOfTheRepositoryReads(Path file) throws IOException {
        if (!Files.exists(ownFolder.resolve("experiments"))) {
            OwnExperiments.copyTo(ownFolder);
        }
        Path copy = ownFolder
                .resolve("experiments")
                .resolve(OWN_EXPERIMENTS.relativize(file).toString());
        Experiment read = ExperimentFile.read(copy, List.of());
        assertThat(read.name())
                .isEqualTo(OWN_EXPERIMENTS
                        .relativize(file)
                        .toString()
                        .replace(".yaml", "")
                        .replace(File.separatorChar, '-'));
        assertThat(Path.of(read.corpus().path())).isAbsolute();
        write("again.yaml", ExperimentFile.toYaml(read));
        assertThat(ExperimentFile.read(folder.resolve("again.yaml"), List.of())).isEqualTo(read);
    }

    /** Files with a name of their own; the others are there to be extended. */
    static List<Path> own() throws IOException {
        try (Stream<Path> files = Files.walk(OWN_EXPERIMENTS)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> has(file, "name:") && !has(file, "kind:")) // a study has both
                    .sorted()
                    .toList();
            assertThat(found).hasSizeGreaterThan(6);
            return found;
        }
    }

    private static boolean has(Path file, String key) {
        try {
            return Files.readAllLines(file).stream().anyMatch(line -> line.startsWith(key));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private Experiment read(String... lines) throws IOException {
        return ExperimentFile.read(write("mine.yaml", lines), List.of());
    }

    private UserError error(String... lines) throws IOException {
        return error(write("mine.yaml", lines));
    }

    private static UserError error(Path file) {
        return catchThrowableOfType(UserError.class, () -> ExperimentFile.read(file, List.of()));
    }

    private Path write(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), List.of(lines));
    }

    private String at(String path) {
        return folder.resolve(path).normalize().toString();
    }

    @Test
    void vectorsAreOfTheirMethodAndPpmiWhereNoneIsNamed() throws IOException {
        assertThat(read("extends: demo-laat", "name: mine").vectors().orElseThrow())
                .isInstanceOf(WordVectors.Config.class);
        Experiment other = read(
                "extends: laat",
                "name: mine",
                "corpus: {format: demo}",
                "vectors: {method: cbow, size: 100, window: 2, negatives: 3, smoothing: 0.75, subsample: 0.001,"
                        + " epochs: 1, learning_rate: 0.05, scale: 1.0}"); // nothing of ppmi's settings is left
        assertThat(other.vectors()).contains(new Cbow.Config(100, 2, 3, 0.75, 0.001, 1, 0.05, 1));
        assertThat(ExperimentFile.toYaml(other)).contains("method: cbow");
        assertThat(error("extends: isd", "name: mine", "corpus: {format: demo}", "vectors: {method: glove}")
                        .remedy())
                .contains("ppmi or cbow");
        assertThat(error("extends: isd", "name: mine", "corpus: {format: demo}", "model: {encoder: {type: tree}}")
                        .remedy())
                .contains("convolutions");
    }

    @Test
    void packagedModelsOverConvolutionsAreWhole() {
        List<String> corpus = List.of("name=mine", "corpus.format=demo");
        assertThat(ExperimentFile.packaged("isd", corpus).model()).isInstanceOf(Isd.Config.class);
        Isd.Config paper =
                (Isd.Config) ExperimentFile.packaged("isd-paper", corpus).model();
        assertThat(paper.embedding()).isEqualTo(100);
        assertThat(paper.queries()).isEqualTo(64);
        assertThat(((Plant.Config) ExperimentFile.packaged("plant-convolutions", corpus)
                                .model())
                        .encoder())
                .isInstanceOf(EncoderConfig.Convolutions.class);
    }
}
