package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Coder;
import org.plant4j.Evaluation;
import org.plant4j.MetricNames;
import org.plant4j.Progress;
import org.plant4j.RankedCode;
import org.plant4j.Suggestion;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pretrained.CardText;
import org.plant4j.pretrained.ModelCard;
import org.plant4j.pretrained.ModelPacker;
import org.plant4j.support.Sha256;
import org.plant4j.tensor.Compute;
import org.plant4j.text.PreparedCorpus;

/** A stack of PLANT and the linear model, from training to predictions of the packed model. */
class StackRunTest {

    private static final String TEXT = "Patient with heart failing, seen today; (wheezing breath) and sugar raised.";

    @TempDir
    Path directory;

    private TinyExperiment tiny;
    private final List<String> stages = new ArrayList<>();

    @BeforeEach
    void writeCorpus() {
        tiny = TinyExperiment.in(directory);
        tiny.plant(); // leaves plant-tiny.yaml
        tiny.write(
                "network.yaml",
                "extends: plant-tiny.yaml",
                "name: network",
                "word_vectors: null",
                "ranker: {epochs: 3, top_tokens: 10, sampled_tokens: 10, held_out_every: 3}",
                "model: {encoder: {embedding: 8, hidden: 8}, ranker: {size: 8}}",
                "training: {epochs: 8, learning_rate: 0.03, batch_size: 4}");
        tiny.write("linear.yaml", "extends: [plant-tiny.yaml, linear]", "name: linear");
    }

    private Experiment stack(String name, String... overrides) {
        Path file = tiny.write(
                name + ".yaml",
                "extends: plant-tiny.yaml",
                "name: " + name,
                "model: {type: stacked, members: [network.yaml, linear.yaml], seeds: [], candidates: 4, merge: null}");
        return ExperimentFile.read(file, List.of(overrides));
    }

    private RunDirectory run(Experiment experiment) {
        Pipeline pipeline = new Pipeline(experiment, tiny.runs(), TinyExperiment.session(stages));
        assertThat(pipeline.run()).isTrue();
        return pipeline.runDirectory();
    }

    private static List<RankedCode> ranking(Path source, String text) {
        try (Coder coder = Coder.load(source)) {
            return coder.rank(List.of(text), 4).get(0);
        }
    }

    @Test
    void aStackCodesWithEvidenceCalibrationAndGuard() throws IOException {
        RunDirectory run = run(stack("both"));
        assertThat(stages).contains("model: 2 members");
        assertThat(Evaluation.read(run.metrics(PreparedCorpus.DEV)).metric(MetricNames.MAP))
                .isGreaterThan(0.9);
        Path moved = Files.move(run.path(), directory.resolve("moved")); // it is self-contained
        try (Coder coder = Coder.load(moved)) {
            assertThat(coder.isCalibrated()).isTrue();
            assertThat(coder.hasGuard()).isTrue();
            Suggestion heart = coder.code(TEXT).suggestions().stream()
                    .filter(each -> each.code().equals("I50.9"))
                    .findFirst()
                    .orElseThrow();
            assertThat(heart.evidence().get(0).text()).contains("heart");
        }
    }

    @Test
    void aPackedStackCodesAsItsRunAndHasItsDevMetrics() {
        RunDirectory run = run(stack("both"));
        Path file = directory.resolve("tiny.zip");
        ModelPacker packer = new ModelPacker(run, CardText.NONE, Optional.of("abc"), Compute.CPU, Progress.NONE);
        ModelCard card = packer.pack(file, 6, 0.02);
        assertThat(card.model()).isEqualTo("stacked");
        assertThat(card.provenance().weights())
                .contains(Sha256.of(run.path().resolve("members/0/weights.safetensors")));
        // Dev documents are recognized in the packed model too: their scores stay out-of-fold.
        assertThat(card.quality().orElseThrow().metrics().get(MetricNames.MAP))
                .isCloseTo(Evaluation.read(run.metrics(PreparedCorpus.DEV)).metric(MetricNames.MAP), within(0.02));
        List<RankedCode> expected = ranking(run.path(), TEXT);
        List<RankedCode> codes = ranking(file, TEXT);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(codes.get(i).code()).isEqualTo(expected.get(i).code());
            assertThat(codes.get(i).score()).isCloseTo(expected.get(i).score(), within(0.05));
        }
    }

    @Test
    void devDocumentsAreNeverScoredByTheRegressionForNewDocuments() throws IOException {
        RunDirectory run = run(stack("both"));
        double dev = packedMap(run, "before.zip");
        double score = ranking(run.path(), TEXT).get(0).score();
        Path merge = run.path().resolve("merge.json");
        ObjectMapper json = new ObjectMapper();
        ObjectNode changed = (ObjectNode) json.readTree(merge.toFile());
        ArrayNode weights = (ArrayNode) changed.at("/stacking/regression/weights");
        for (int i = 0; i < weights.size(); i++) {
            weights.set(i, 0.0); // every label has probability 0.5
        }
        run.add(merge, changed);
        assertThat(ranking(run.path(), TEXT).get(0).score()).isCloseTo(0.5, within(1e-6));
        assertThat(score).isNotCloseTo(0.5, within(0.01));
        assertThat(packedMap(run, "after.zip")).isEqualTo(dev);
    }

    /** MAP on dev, computed again. */
    private double packedMap(RunDirectory run, String name) {
        ModelPacker packer = new ModelPacker(run, CardText.NONE, Optional.of("abc"), Compute.CPU, Progress.NONE);
        ModelCard card = packer.pack(directory.resolve(name), 8, 1);
        return Objects.requireNonNull(card.quality().orElseThrow().metrics().get(MetricNames.MAP));
    }

    @Test
    void aMergeIsRefusedForMembersInAnotherOrderAndByItsOwnRun() {
        RunDirectory learned = run(stack("both"));
        String merge = "model.merge=" + learned.path();
        UserError order = catchThrowableOfType(
                UserError.class,
                () -> run(stack(
                        "other",
                        merge,
                        "model.members=[" + directory.resolve("linear.yaml") + "," + directory.resolve("network.yaml")
                                + "]")));
        assertThat(order.what()).contains("Member 1").contains("another type");
        UserError own = catchThrowableOfType(UserError.class, () -> run(stack("both", merge)));
        assertThat(own.what()).contains("would replace the run whose merge it uses");
        assertThat(learned.path().resolve("merge.json")).exists();
    }

    @Test
    void aFinishedStackIsReusedAndOtherCandidatesAreAnotherRun() {
        RunDirectory run = run(stack("both"));
        stages.clear();
        run(stack("both"));
        assertThat(stages).containsExactly("prepare: reused", "model: reused " + run.path(), "evaluate: reused");
        assertThat(catchThrowableOfType(UserError.class, () -> run(stack("both", "model.candidates=2")))
                        .what())
                .contains("other settings");
    }

    @Test
    void withoutDevLabelsTheMergeOfAnotherRunIsUsed() throws IOException {
        RunDirectory learned = run(stack("both"));
        for (String name : List.of("network.yaml", "linear.yaml")) {
            tiny.write(
                    "final-" + name,
                    "extends: " + name,
                    "name: final-" + name.replace(".yaml", ""),
                    "corpus: {train: [train.csv, dev.csv], dev: []}");
        }
        String[] settings = {
            "corpus.train=[train.csv, dev.csv]",
            "corpus.dev=[]",
            "model.members=[" + directory.resolve("final-network.yaml") + "," + directory.resolve("final-linear.yaml")
                    + "]",
            "model.merge=" + learned.path()
        };
        RunDirectory run = run(stack("final", settings));
        assertThat(run.path().resolve("merge.json"))
                .hasSameTextualContentAs(learned.path().resolve("merge.json"));
        assertThat(ranking(run.path(), "Patient with heart failing.").get(0).code())
                .isEqualTo("I50.9");

        settings[3] = "model.merge=null";
        UserError missing = catchThrowableOfType(UserError.class, () -> run(stack("other", settings)));
        assertThat(missing.what()).contains("Dev has no labels");
        assertThat(missing.remedy()).contains("model.merge=runs/NAME");
        settings[3] = "model.merge=" + directory.resolve("nowhere");
        assertThat(catchThrowableOfType(UserError.class, () -> run(stack("other", settings)))
                        .what())
                .contains("does not exist");
        String[] narrower = Arrays.copyOf(settings, 5);
        narrower[3] = "model.merge=" + learned.path();
        narrower[4] = "model.candidates=3";
        assertThat(catchThrowableOfType(UserError.class, () -> run(stack("other", narrower)))
                        .what())
                .contains("2 members and 4 candidates, this model has 2 and 3");
        settings[3] = "model.merge=" + tiny.runs().resolve("linear-s1");
        assertThat(catchThrowableOfType(UserError.class, () -> run(stack("other", settings)))
                        .what())
                .contains("merge.json");
    }
}
