package org.plant4j.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.model.baseline.Laat;
import org.plant4j.model.baseline.TextCnn;
import org.plant4j.model.matching.DescriptionMatching;
import org.plant4j.model.plant.Plant;

class EarlierVersionsTest {

    @TempDir
    private Path directory;

    @Test
    void aModelWithoutNullTokensIsRead() throws IOException {
        RunDirectory run = new RunDirectory(directory);
        Files.writeString(run.model(), """
                {"type": "laat", "embedding": 4, "hidden": 3, "projection": 2, "dropout": 0.3,
                 "initial_deviation": 0.03, "initial_bias": -3.0}
                """);
        assertThat(run.modelConfig()).isEqualTo(new Laat.Config(4, 3, 2, 0.3, 0, 0.03, -3));
    }

    @Test
    void aTextCnnWithoutAnActivationIsRead() throws IOException {
        RunDirectory run = new RunDirectory(directory);
        Files.writeString(run.model(), """
                {"type": "text-cnn", "embedding": 4, "filters": 3, "kernels": [2], "dropout": 0.5, "initial_bias": -3.0}
                """);
        assertThat(run.modelConfig())
                .isEqualTo(new TextCnn.Config(4, 3, List.of(2), TextCnn.Activation.RELU, 0, 0.5, -3));
    }

    @Test
    void mentionMatchingWithoutTreesIsRead() throws IOException {
        RunDirectory run = new RunDirectory(directory);
        Files.writeString(run.model(), """
                {"type": "description-matching", "min_share": 0.5, "ridge_penalty": 1.0, "ridge_labels": 100,
                 "prune": 0.001, "max_documents": 2000, "descriptions": false, "mentions": true}
                """);
        assertThat(run.modelConfig())
                .isEqualTo(new DescriptionMatching.Config(
                        0.5, 1, 100, 0.001, 2000, false, true, 0, false, false, Optional.empty()));
    }

    @Test
    void descriptionMatchingWithoutSynonymsIsRead() throws IOException {
        RunDirectory run = new RunDirectory(directory);
        Files.writeString(run.model(), """
                {"type": "description-matching", "min_share": 0.5, "ridge_penalty": 1.0, "ridge_labels": 100, "prune": 0.001,
                 "max_documents": 2000, "descriptions": true, "mentions": false}
                """);
        assertThat(run.modelConfig())
                .isEqualTo(new DescriptionMatching.Config(
                        0.5, 1, 100, 0.001, 2000, true, false, 0, false, false, Optional.empty()));
    }

    @Test
    void aPlantWithoutAShortlistIsRead() throws IOException {
        Plant.Config config =
                Plant.Config.builder(new EncoderConfig.BiLstm(5, 4, 0)).build();
        RunDirectory run = new RunDirectory(directory);
        run.write(run.model(), config);
        List<String> lines = Files.readAllLines(run.model()).stream()
                .filter(line -> !line.matches(" *\"(shortlist|label_precision)\".*"))
                .map(line -> line.replace("\"window\" : 0,", "\"window\" : 0"))
                .toList();
        Files.write(run.model(), lines);
        assertThat(String.join("", lines)).doesNotContain("label_precision");
        assertThat(run.modelConfig()).isEqualTo(config);
    }

    @Test
    void anExperimentWithoutTheNewSettingsIsRead() throws IOException {
        Experiment experiment = ExperimentFile.open("plant@demo", List.of("training.epochs=2"));
        List<String> lines = ExperimentFile.toYaml(experiment)
                .lines()
                .filter(
                        line -> !line.matches(
                                " *(partial_documents|unknown_rate|evidence_loss|null_tokens|shortlist|random_labels|label_precision|shortlist_agreement|cuda_graphs):.*"))
                .toList();
        Experiment read = ExperimentFile.read(Files.write(directory.resolve("experiment.yaml"), lines), List.of());
        assertThat(read.training().epochs()).isEqualTo(2);
        assertThat(read.training().partialDocuments()).isZero();
        assertThat(read.training().shortlist()).isZero();
        assertThat(read.compute().cudaGraphs()).isFalse();
        assertThat(ExperimentFile.toYaml(read)).contains("null_tokens: 0");
    }
}
