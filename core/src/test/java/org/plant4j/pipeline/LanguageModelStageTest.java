package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.support.FileTree;
import org.plant4j.train.TrainingHistory;

class LanguageModelStageTest extends PipelineTestCase {

    /** An unplanted model with a small AWD-LSTM, which stays frozen. */
    private Experiment experiment(String... overrides) {
        List<String> all = new ArrayList<>(List.of(
                "model.encoder={type: awd-lstm, embedding: 6, hidden: 8, layers: 2, embedding_dropout: 0.05,"
                        + " input_dropout: 0.4, hidden_dropout: 0.3, weight_dropout: 0.5, dropout_multiplier: 0.5}",
                "language_model={embedding: 6, hidden: 8, layers: 2, embedding_dropout: 0.02, input_dropout: 0.1,"
                        + " hidden_dropout: 0.1, output_dropout: 0.1, weight_dropout: 0.1, dropout_multiplier: 1, alpha: 2,"
                        + " beta: 1, epochs: 3, learning_rate: 0.01, weight_decay: 0.01, warmup_ratio: 0.25, max_grad_norm: 0.25,"
                        + " bptt: 8, batch_size: 4, held_out: 0.1}",
                "model.static=false",
                "model.differentiable=false",
                "training.unfreeze_interval=9"));
        all.addAll(List.of(overrides));
        return tiny.plant(all.toArray(String[]::new));
    }

    @Test
    void theEncoderStartsFromALanguageModelSharedAcrossSeeds() throws IOException {
        assertThat(run(experiment())).isTrue();
        assertThat(stages).anyMatch(line -> line.matches("language-model: perplexity \\d+\\.\\d on held-out text"));
        RunDirectory run = new RunDirectory(tiny.runs().resolve("tiny"));
        RunDirectory trained = new RunDirectory(cached("language-model").get(0));
        assertThat(weights(run.path().resolve("weights.safetensors"), "encoder.rnns.0.weight_hh_l0_raw"))
                .containsExactly(weights(trained.languageModel(), "0.rnns.0.weight_hh_l0_raw"));
        assertThat(run.read(run.languageModelHistory(), TrainingHistory.class).epochs())
                .hasSize(3);
        assertThat(trained.checkpoint()).doesNotExist();

        stages.clear();
        run(experiment("name=other", "seed=2"));
        assertThat(stages).contains("language-model: reused");
        stages.clear();
        run(experiment("name=back", "model.direction=backward", "model.segment=4", "model.window=8"));
        assertThat(stages).anyMatch(line -> line.startsWith("language-model: perplexity"));
        assertThat(cached("language-model")).hasSize(2);
    }

    @Test
    void anInterruptedLanguageModelResumesAndEndsWithTheSameWeights() throws IOException {
        run(experiment());
        double[] uninterrupted =
                weights(new RunDirectory(cached("language-model").get(0)).languageModel(), "0.encoder.weight");
        FileTree.delete(tiny.runs());
        AtomicInteger polls = new AtomicInteger();
        assertThat(run(experiment(), () -> polls.incrementAndGet() > 16)).isFalse(); // an epoch has about ten steps
        assertThat(cached("language-model")).singleElement().asString().endsWith(".unfinished");
        stages.clear();
        assertThat(run(experiment())).isTrue();
        assertThat(stages).anyMatch(line -> line.startsWith("language-model: resumed"));
        assertThat(weights(new RunDirectory(cached("language-model").get(0)).languageModel(), "0.encoder.weight"))
                .containsExactly(uninterrupted);
    }

    @Test
    void aLanguageModelCanStartFromAnother() throws IOException {
        run(experiment());
        Files.copy(
                new RunDirectory(cached("language-model").get(0)).languageModel(),
                directory.resolve("old.safetensors"));
        Files.copy(tiny.runs().resolve("tiny/vocabulary.tsv"), directory.resolve("old.tsv"));
        stages.clear();
        String start = "language_model.start={weights: " + directory.resolve("old.safetensors") + ", vocabulary: "
                + directory.resolve("old.tsv") + "}";
        run(experiment("name=next", start));
        assertThat(stages)
                .anyMatch(
                        line -> line.matches("language-model: \\d+ tokens with pretrained embeddings, perplexity .*"));
    }

    @Test
    void otherEncodersNeedNoLanguageModelAndOtherSizesAreRejected() {
        run(tiny.plant("model.static=false", "model.differentiable=false"));
        assertThat(stages).noneMatch(line -> line.startsWith("language-model"));
        assertThat(catchThrowableOfType(UserError.class, () -> experiment("language_model.hidden=9")))
                .hasMessageContaining("language model it starts from differ");
    }

    @Test
    void theLibrarySettingsEqualThePlantPaper() {
        Experiment packaged = ExperimentFile.read(
                tiny.write(
                        "paper.yaml",
                        "extends: [plant, awd-lstm]",
                        "name: paper",
                        "corpus: {format: demo}",
                        "language_model: {start: {weights: wiki.safetensors, vocabulary: itos.txt}}"),
                List.of());
        assertThat(packaged.languageModel()).hasValueSatisfying(lm -> {
            assertThat(lm.embedding()).isEqualTo(400);
            assertThat(lm.batchSize()).isEqualTo(384);
            assertThat(lm.learningRate()).isEqualTo(1e-5);
            assertThat(lm.start().orElseThrow().weights())
                    .isEqualTo(
                            directory.resolve("wiki.safetensors").toString()); // relative to the directory of the file
        });
        assertThat(packaged.wordVectors()).isEmpty();
    }
}
