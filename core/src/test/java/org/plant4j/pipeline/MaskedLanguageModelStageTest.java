package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.TinyEncoder;
import org.plant4j.pipeline.stage.ResumableTraining;
import org.plant4j.support.FileTree;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenStore;
import org.plant4j.train.TrainingHistory;

class MaskedLanguageModelStageTest extends PipelineTestCase {

    private static final String MLM =
            "masked_language_model={epochs: 3, learning_rate: 0.01, weight_decay: 0.01, warmup_ratio: 0.1, max_grad_norm: 1,"
                    + " batch_size: 4, window: 10, mask_rate: 0.15, whole_words: true, held_out: 0.1}";

    @BeforeEach
    void writeEncoder() {
        TinyEncoder.write(directory.resolve("encoders/tiny"));
    }

    /** An unplanted model whose encoder stays frozen. */
    private Experiment experiment(String... overrides) {
        List<String> all = new ArrayList<>(List.of(MLM, "training.unfreeze_interval=9"));
        all.addAll(List.of(overrides));
        return tiny.bert("control-bert", all.toArray(String[]::new));
    }

    @Test
    void theModelStartsFromAFurtherPretrainedEncoderSharedAcrossSeeds() throws IOException {
        assertThat(run(experiment())).isTrue();
        assertThat(stages)
                .anyMatch(line -> line.matches(
                        "masked-language-model: perplexity \\d+\\.\\d on held-out text, \\d+\\.\\d before; "
                                + "the encoder has no pretrained head, a new one was trained"));
        RunDirectory run = new RunDirectory(tiny.runs().resolve("tiny"));
        EncoderDirectory trained =
                new EncoderDirectory(cached("masked-language-model").get(0)).requireComplete();
        String name = "encoder.layer.1.output.dense.weight";
        double[] expected = weights(trained.weights(), name);
        assertThat(weights(run.path().resolve("weights.safetensors"), "encoder." + name))
                .containsExactly(expected);
        assertThat(weights(directory.resolve("encoders/tiny/weights.safetensors"), name))
                .isNotEqualTo(expected);
        assertThat(run.read(run.maskedModelHistory(), TrainingHistory.class).epochs())
                .hasSize(3);
        assertThat(new RunDirectory(trained.path()).checkpoint()).doesNotExist();

        stages.clear();
        run(experiment(
                "name=other",
                "seed=2",
                "model.encoder.window=6")); // the window of the model does not change pretraining
        assertThat(stages).contains("masked-language-model: reused");
        stages.clear();
        run(experiment("name=longer", "masked_language_model.window=14"));
        assertThat(stages).anyMatch(line -> line.startsWith("masked-language-model: perplexity"));
        assertThat(cached("masked-language-model")).hasSize(2);
        UserError error = catchThrowableOfType(UserError.class, () -> run(experiment("masked_language_model=null")));
        assertThat(error).hasMessageContaining("other settings");
    }

    @Test
    void interruptedPretrainingResumesAndEndsWithTheSameWeights() throws IOException {
        run(experiment());
        byte[] uninterrupted = Files.readAllBytes(
                new EncoderDirectory(cached("masked-language-model").get(0)).weights());
        FileTree.delete(tiny.runs());
        AtomicInteger polls = new AtomicInteger();
        assertThat(run(experiment(), () -> polls.incrementAndGet() > 14)).isFalse();
        assertThat(cached("masked-language-model")).singleElement().asString().endsWith(".unfinished");
        assertThat(run(experiment())).isTrue();
        assertThat(stages).anyMatch(line -> line.startsWith("masked-language-model: resumed"));
        assertThat(Files.readAllBytes(
                        new EncoderDirectory(cached("masked-language-model").get(0)).weights()))
                .isEqualTo(uninterrupted);
    }

    @Test
    void textsOfDevAndTestAreExcludedFromPretraining() {
        tiny.write("more.csv", "id,text,codes", "m,Patient seen again at home.,E11.9");
        Experiment unlabelled = experiment("unlabelled=[{format: csv, path: " + directory
                + ", train: [dev.csv, test.csv, more.csv], dev: [], test: []}]");
        PreparedCorpus prepared = new Pipeline(unlabelled, tiny.runs(), TinyExperiment.session(stages)).prepare();
        assertThat(ResumableTraining.pretrainingTexts(prepared).stream().mapToInt(TokenStore::size))
                .containsExactly(24, 1);
    }

    @Test
    void otherModelsSkipTheStageAndTooLongWindowsAreRejected() {
        run(tiny.laat(MLM, "name=laat"));
        assertThat(stages).noneMatch(line -> line.startsWith("masked-language-model"));
        UserError error = catchThrowableOfType(UserError.class, () -> experiment("masked_language_model.window=15"));
        assertThat(error).hasMessageContaining("a window of 15 tokens");
        assertThat(error.where()).contains("masked_language_model.window");
        assertThat(error.remedy()).isEqualTo("use at most 14");
    }

    @Test
    void theLibraryFragmentExtendsAModel() {
        Experiment packaged = ExperimentFile.read(
                tiny.write(
                        "further.yaml",
                        "extends: [plant-bert, masked-language-model, encoders/tiny/encoder.yaml]",
                        "name: further",
                        "corpus: {format: demo}",
                        "masked_language_model: {window: 14}",
                        "model: {encoder: {window: 8, overlap: 2}}"),
                List.of());
        assertThat(packaged.furtherPretraining()).hasValueSatisfying(mlm -> {
            assertThat(mlm.maskRate()).isEqualTo(0.15);
            assertThat(mlm.wholeWords()).isTrue();
        });
        assertThat(packaged.maskedEncoderConfig().orElseThrow().window()).isEqualTo(14);
    }
}
