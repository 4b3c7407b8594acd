package org.plant4j.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.UserError;
import org.plant4j.experiment.ExperimentLibrary.Kind;

/** Every model and corpus of the library can be combined. */
class ExperimentLibraryTest extends ExperimentFileTestCase {

    private List<String> encoder;

    @BeforeEach
    void writeEncoder() throws IOException {
        encoder = List.of(EncoderSizes.write(directory.resolve("encoder")));
    }

    static List<String> models() {
        return ExperimentLibrary.names(Kind.MODELS).stream()
                .filter(model -> !model.equals("auto")) // reads the corpus
                .toList();
    }

    static List<String> corpora() {
        return ExperimentLibrary.names(Kind.CORPORA);
    }

    @Test
    void namesAreListed() {
        assertThat(models())
                .contains("plant", "control", "laat", "plant-descriptions")
                .isSorted();
        assertThat(corpora()).contains("demo", "codiesp-d", "mimic3-full");
        assertThat(ExperimentLibrary.names(Kind.STUDIES)).contains("ablation", "low-shot");
        assertThat(ExperimentLibrary.names(Kind.FRAGMENTS)).contains("base");
        assertThat(ExperimentLibrary.text(Kind.MODELS, "plnt")).isEmpty();
    }

    @Test
    void theControlHasTheSettingsOfPlantOnACorpus() {
        for (String model : List.of("plant", "control", "plant-convolutions")) {
            TrainingSettings training =
                    ExperimentFile.open(model + "@tibkat", List.of()).training();
            assertThat(training.epochs()).isEqualTo(8);
            assertThat(training.weightDecay()).isEqualTo(0.3);
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyModelCombinesWithACorpusAndReadsBackEqual(String model) throws IOException {
        for (String corpus : List.of("demo", "codiesp-d")) {
            List<String> overrides = new ArrayList<>(List.of("seed=7"));
            overrides.addAll(model.endsWith("bilstm") ? List.of() : encoder);
            Experiment experiment = ExperimentFile.open(model + "@" + corpus, overrides);
            assertThat(experiment.name()).isEqualTo(model + "@" + corpus);
            write("again.yaml", ExperimentFile.toYaml(experiment));
            assertThat(ExperimentFile.read(directory.resolve("again.yaml"), List.of()))
                    .isEqualTo(experiment);
        }
    }

    @ParameterizedTest
    @MethodSource("corpora")
    void everyCorpusCombinesWithAModel(String corpus) {
        for (String model : List.of("plant", "control-paper", "plant-bidirectional")) {
            Experiment experiment = ExperimentFile.open(model + "@" + corpus, List.of());
            assertThat(experiment.corpus().train()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("corpora")
    void corpusFilesReferToExistingModelsAndStudies(String corpus) {
        List<String> known = Stream.of(Kind.MODELS, Kind.FRAGMENTS)
                .flatMap(kind -> ExperimentLibrary.names(kind).stream())
                .toList();
        ObjectNode tree = SettingsLoader.corpora(new ExtendsChain()).load(corpus, Path.of(""), "test");
        tree.path("models")
                .fieldNames()
                .forEachRemaining(model -> assertThat(known).contains(model));
        tree.path("studies")
                .fieldNames()
                .forEachRemaining(study ->
                        assertThat(ExperimentLibrary.names(Kind.STUDIES)).contains(study));
    }

    @Test
    void corpusSettingsOfAModelApplyToModelsThatExtendIt() {
        Experiment plant = ExperimentFile.open("plant@demo", List.of());
        Experiment control = ExperimentFile.open("control@demo", List.of());
        assertThat(plant.training().epochs()).isEqualTo(4);
        assertThat(control.training()).isEqualTo(plant.training());
        assertThat(ExperimentFile.open("control@codiesp-d", List.of())
                        .training()
                        .epochs())
                .isEqualTo(30);
        assertThat(ExperimentFile.open("plant@codiesp-d", List.of()).training().epochs())
                .isEqualTo(10);
    }

    @Test
    void unlabelledTextIsUsedForPretrainingAndForWordsOfMentions() {
        assertThat(ExperimentFile.open("plant@codiesp-d", List.of()).unlabelled())
                .hasSize(1);
        assertThat(ExperimentFile.open("linear@codiesp-d", List.of()).unlabelled())
                .isEmpty();
        assertThat(ExperimentFile.open("mention-matching@codiesp-d", List.of()).unlabelled())
                .hasSize(1);
        assertThat(ExperimentFile.open("mention-matching@codiesp-d", List.of("model.trees=0"))
                        .unlabelled())
                .isEmpty();
    }

    @Test
    void membersOfAnEnsembleAreOnTheSameCorpus() {
        assertThat(ExperimentFile.toYaml(ExperimentFile.open("plant-bidirectional@codiesp-p", List.of())))
                .contains("plant@codiesp-p", "plant-backward@codiesp-p");
    }

    @Test
    void membersOfAnEnsembleAreOnAUserDefinedCorpus() throws IOException {
        write("mine.yaml", "corpus: {format: csv, path: notes.csv}");
        Experiment both = ExperimentFile.open("plant-bidirectional@" + directory.resolve("mine.yaml"), List.of());
        assertThat(both.model().memberExperiments())
                .containsExactly("plant@" + at("mine.yaml"), "plant-backward@" + at("mine.yaml"));
        write(
                "pair.yaml",
                "extends: plant@mine.yaml",
                "model: {type: ensemble, members: [plant@mine.yaml], seeds: []}");
        Experiment own = ExperimentFile.read(directory.resolve("pair.yaml"), List.of());
        assertThat(own.model().memberExperiments()).containsExactly("plant@" + at("mine.yaml"));
    }

    @Test
    void pathsOfModelsInACorpusFileAreRelativeToIt() throws IOException {
        EncoderSizes.write(directory.resolve("encoders/own"));
        write(
                "mine.yaml",
                "corpus: {format: csv, path: notes.csv}",
                "models: {plant-bert: {pretrained_encoder: encoders/own}}");
        assertThat(ExperimentFile.open("plant-bert@" + directory.resolve("mine.yaml"), List.of())
                        .pretrainedEncoder())
                .contains(at("encoders/own"));
    }

    @Test
    void userDefinedCorpusFilesCombineWithAnyModel() throws IOException {
        write("mine.yaml", "corpus: {format: csv, path: notes.csv}", "models: {laat: {training: {epochs: 3}}}");
        Experiment experiment = ExperimentFile.open("laat@" + directory.resolve("mine.yaml"), List.of());
        assertThat(experiment.name()).isEqualTo("laat@mine");
        assertThat(experiment.training().epochs()).isEqualTo(3);
        assertThat(experiment.corpus().path()).isEqualTo(at("notes.csv"));
        write("own-model.yaml", "extends: laat", "training: {epochs: 4}");
        Experiment own = ExperimentFile.open(directory.resolve("own-model.yaml") + "@demo", List.of());
        assertThat(own.name()).isEqualTo("own-model@demo");
        assertThat(own.training().epochs()).isEqualTo(4);
        assertThat(own.model())
                .isEqualTo(ExperimentFile.open("laat@demo", List.of()).model());
    }

    @Test
    void aCorpusFileWithOtherSettingsIsAnError() throws IOException {
        write("mine.yaml", "corpus: {format: csv, path: notes.csv}", "training: {epochs: 3}");
        UserError error = catchThrowableOfType(
                UserError.class, () -> ExperimentFile.open("laat@" + directory.resolve("mine.yaml"), List.of()));
        assertThat(error.what()).contains("'training'");
        assertThat(error.remedy()).contains("models");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plant", "codiesp-d", "plnt", "plant@codispd", "plnt@demo"})
    void incompleteAndMisspeltReferencesComeWithASuggestion(String reference) {
        UserError error = catchThrowableOfType(UserError.class, () -> ExperimentFile.open(reference, List.of()));
        String expected = switch (reference) {
            case "plant" -> "plant@demo";
            case "codiesp-d" -> "plant@codiesp-d";
            case "plnt" -> "'plant@CORPUS'";
            case "plant@codispd" -> "'codiesp-d'";
            default -> "'plant'";
        };
        assertThat(error.remedy()).contains(expected);
    }
}
