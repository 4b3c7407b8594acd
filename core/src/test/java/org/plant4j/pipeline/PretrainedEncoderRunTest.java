package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Coder;
import org.plant4j.Evidence;
import org.plant4j.Suggestion;
import org.plant4j.UserError;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.TinyEncoder;
import org.plant4j.model.plant.Plant;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Golden;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.Vocabulary;

/** Runs of models with a pretrained encoder. */
class PretrainedEncoderRunTest {

    @TempDir
    Path directory;

    private TinyExperiment tiny;
    private EncoderDirectory encoder;
    private final List<String> stages = new ArrayList<>();

    @BeforeEach
    void writeCorpusAndEncoder() {
        tiny = TinyExperiment.in(directory);
        encoder = TinyEncoder.write(directory.resolve("encoders/tiny"));
    }

    private boolean run(Experiment experiment) {
        return new Pipeline(experiment, tiny.runs(), TinyExperiment.session(stages)).run();
    }

    @Test
    void aMovedRunStillPredictsWithWholeWordsAsEvidence() throws IOException {
        assertThat(run(tiny.bert("plant-bert", "training.epochs=20"))).isTrue();
        assertThat(stages.get(0)).isEqualTo("prepare: vocabulary 34 · labels 4");
        assertThat(stages.get(stages.size() - 1)).isEqualTo("evaluate: done");

        Path moved = Files.move(tiny.runs().resolve("tiny"), directory.resolve("moved"));
        delete(encoder.path());
        String text = "😀\n\nPatient seen today 😀\nwith wheezing breath.";
        try (Coder coder = Coder.load(moved)) {
            Suggestion asthma = coder.explain(text, "J45.909").suggestion();
            Evidence heaviest = asthma.evidence().get(0);
            assertThat(text.substring(heaviest.span().start(), heaviest.span().end()))
                    .startsWith("wheezing"); // one span over its three subwords
            assertThat(coder.code("Patient with wheezing breath seen today and wheezing breath.")
                            .suggestions())
                    .first()
                    .extracting(Suggestion::code)
                    .isEqualTo("J45.909");
            assertThat(coder.checkDomain(text).inDomain()).isTrue();
            assertThat(coder.checkDomain("qzx blarg qzx").inDomain()).isFalse();
        }
    }

    @Test
    void theVocabularyIsThatOfTheEncoderWithCountsOfTheCorpus() {
        PreparedCorpus prepared =
                new Pipeline(tiny.bert("plant-bert"), tiny.runs(), TinyExperiment.session(stages)).prepare();
        Vocabulary vocabulary = prepared.vocabulary();
        assertThat(vocabulary.size()).isEqualTo(TinyEncoder.TOKENS.size());
        assertThat(vocabulary.token(5)).isEqualTo("Patient");
        assertThat(vocabulary.count(5)).isEqualTo(24); // once in every training document
        assertThat(vocabulary.count(2)).isZero(); // [CLS] does not occur in texts
        assertThat(vocabulary.id("[UNK]")).isEqualTo(Vocabulary.UNKNOWN);
        assertThat(vocabulary.id("[PAD]")).isEqualTo(Vocabulary.UNKNOWN);
        int[] first = prepared.train().tokens(0);
        assertThat(vocabulary.token(first[0]) + vocabulary.token(first[3]) + vocabulary.token(first[4]))
                .isEqualTo("Patientrai##sed");
    }

    @Test
    void theEncoderStartsFromPretrainedWeightsWhichIdentifyTheRun() throws IOException {
        // With a learning rate close to 0 the weights stay as they were.
        String[] slow = {"training.epochs=1", "training.encoder_learning_rate_scale=1.0e-12", "training.weight_decay=0"
        };
        run(tiny.bert("plant-bert", slow));
        String name = "embeddings.position_embeddings.weight";
        try (PointerScope scope = new PointerScope()) {
            var before = Checkpoint.readMatching(encoder.weights(), name::equals);
            var after = Checkpoint.readMatching(
                    tiny.runs().resolve("tiny/weights.safetensors"), ("encoder." + name)::equals);
            assertThat(Golden.tensor(after, "encoder." + name)
                            .sub(Golden.tensor(before, name))
                            .abs()
                            .max()
                            .item_float())
                    .isLessThan(1e-6f);
        }
        stages.clear();
        run(tiny.bert("plant-bert", slow));
        assertThat(stages).contains("prepare: reused", "evaluate: reused");
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            var tensors = Checkpoint.readMatching(encoder.weights(), any -> true);
            tensors.values().forEach(tensor -> tensor.mul_(new Scalar(2)));
            Checkpoint.write(encoder.weights(), tensors);
        }
        assertThat(catchThrowableOfType(UserError.class, () -> run(tiny.bert("plant-bert", slow))))
                .hasMessageContaining("other settings or other data");
        stages.clear();
        List<String> other = new ArrayList<>(List.of(slow));
        other.add("name=other");
        run(tiny.bert("plant-bert", other.toArray(String[]::new)));
        assertThat(stages)
                .startsWith(
                        "prepare: reused", "mutual-information: reused", "ranker: reused"); // the tokens are the same
    }

    @Test
    void theControlSkipsPlantingAndOtherModelsUseSubwords() {
        assertThat(run(tiny.bert("control-bert"))).isTrue();
        assertThat(stages).noneMatch(line -> line.startsWith("mutual-information") || line.startsWith("ranker"));
        Experiment prior = tiny.prior("name=prior", "pretrained_encoder=" + encoder.path());
        assertThat(run(prior)).isTrue();
        assertThat(new RunDirectory(tiny.runs().resolve("prior")).tokenizer()).exists();
    }

    @Test
    void missingAndIncompleteEncoderDirectoriesAreReported() throws IOException {
        Experiment experiment = tiny.bert("plant-bert");
        Files.delete(encoder.tokensFile());
        UserError error = catchThrowableOfType(UserError.class, () -> run(experiment));
        assertThat(error.what()).contains("tokens.txt is missing");
        assertThat(error.where()).isEqualTo(encoder.path().toString());
        assertThat(error.remedy()).contains("plant encoder import");
        delete(encoder.path());
        assertThat(catchThrowableOfType(UserError.class, () -> run(experiment)).what())
                .contains("it does not exist");
    }

    @Test
    void aPretrainedEncoderRequiresItsDirectory() {
        UserError error =
                catchThrowableOfType(UserError.class, () -> tiny.bert("plant-bert", "pretrained_encoder=null"));
        assertThat(error.where()).contains("pretrained");
        assertThat(error.remedy()).contains("plant encoder import");
    }

    @Test
    void theEncoderPathIsResolvedAndFewerLayersCanBeUsed() {
        Experiment experiment = tiny.bert("plant-bert", "model.encoder.layers=1");
        assertThat(experiment.pretrainedEncoder())
                .isEqualTo(Optional.of(encoder.path().toString()));
        assertThat(experiment.model())
                .isInstanceOfSatisfying(
                        Plant.Config.class,
                        plant -> assertThat(plant.encoder())
                                .isInstanceOfSatisfying(
                                        EncoderConfig.Bert.class,
                                        bert -> assertThat(bert.config().layers())
                                                .isEqualTo(1)));
        assertThat(run(experiment)).isTrue();
    }

    private static void delete(Path path) throws IOException {
        try (var below = Files.walk(path)) {
            for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
