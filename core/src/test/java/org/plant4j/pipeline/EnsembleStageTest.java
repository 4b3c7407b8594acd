package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Coder;
import org.plant4j.Suggestion;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;

class EnsembleStageTest {

    @TempDir
    Path directory;

    private TinyExperiment tiny;
    private final List<String> stages = new ArrayList<>();

    @BeforeEach
    void writeCorpus() {
        tiny = TinyExperiment.in(directory);
        tiny.laat(); // leaves laat-tiny.yaml
        tiny.write("linear.yaml", "extends: [laat-tiny.yaml, linear]", "name: straight");
        tiny.prior(); // leaves prior-tiny.yaml
    }

    private Experiment ensemble(String seeds, String... overrides) {
        Path file = tiny.write(
                "both.yaml",
                "extends: laat-tiny.yaml",
                "name: both",
                "model: {type: ensemble, members: [linear.yaml, prior-tiny.yaml], seeds: " + seeds + "}");
        return ExperimentFile.read(file, List.of(overrides));
    }

    private Path run(Experiment experiment) {
        Pipeline pipeline = new Pipeline(experiment, tiny.runs(), TinyExperiment.session(stages));
        assertThat(pipeline.run()).isTrue();
        return pipeline.runDirectory().path();
    }

    @Test
    void membersAreSeparateRunsAndTheirScoresAreAveraged() throws IOException {
        Path both = run(ensemble("[]"));
        assertThat(stages).contains("model: straight-s1: 4 labels", "model: tiny-s1: 4 labels", "model: 2 members");
        String text = "Heart failing since monday.";
        // The run directory is self-contained.
        Path moved = Files.move(both, directory.resolve("moved"));
        try (Coder ensemble = Coder.load(moved);
                Coder linear = Coder.load(tiny.runs().resolve("straight-s1"));
                Coder prior = Coder.load(tiny.runs().resolve("tiny-s1"))) {
            for (Suggestion one : ensemble.code(text, 4).suggestions()) {
                double mean = (linear.explain(text, one.code()).suggestion().score()
                                + prior.explain(text, one.code()).suggestion().score())
                        / 2;
                assertThat(one.score()).isEqualTo(mean, within(1e-6));
            }
            // The prior has no evidence, so the evidence of the ensemble is that of the linear model.
            assertThat(ensemble.explain(text, "I50.9").suggestion().evidence())
                    .isEqualTo(linear.explain(text, "I50.9").suggestion().evidence());
        }
        assertThat(moved.resolve("metrics-test.json")).exists();
        assertThat(moved.resolve("report.html")).exists();
    }

    @Test
    void aMemberThatIsListedAgainIsTrainedWithAnotherSeed() {
        Path file = tiny.write(
                "twice.yaml",
                "extends: laat-tiny.yaml",
                "name: twice",
                "model: {type: ensemble, members: [linear.yaml, linear.yaml], seeds: []}");
        run(ExperimentFile.read(file, List.of()));
        assertThat(stages)
                .contains("model: straight-s1: 4 labels", "model: straight-s1001: 4 labels", "model: 2 members");
    }

    @Test
    void finishedMembersAreReused() {
        run(ensemble("[1, 2]"));
        stages.clear();
        Path again = run(ensemble("[1, 2]"));
        assertThat(stages).containsExactly("prepare: reused", "model: reused " + again, "evaluate: reused");
        stages.clear();
        run(ensemble("[1, 2, 3]", "name=three"));
        assertThat(stages)
                .contains("model: straight-s2: reused " + tiny.runs().resolve("straight-s2"), "model: 6 members");
        assertThat(again.resolve("members").resolve("3")).exists();
        assertThat(again.resolve("members").resolve("4")).doesNotExist();
    }

    @Test
    void changedMembersRequireAnotherRun() {
        run(ensemble("[]"));
        tiny.write("linear.yaml", "extends: [laat-tiny.yaml, linear]", "name: other", "model: {c: 1}");
        UserError error = catchThrowableOfType(UserError.class, () -> run(ensemble("[]")));
        assertThat(error.what()).contains("other settings");
    }

    @Test
    void membersUseTheSameSampleOfTrainingDocuments() {
        run(ensemble("[]", "preprocessing.max_training_documents=8"));
        assertThat(tiny.runs().resolve("straight-n8-s1")).exists();
        UserError error = catchThrowableOfType(
                UserError.class, () -> run(ensemble("[1, 2]", "preprocessing.max_training_documents=8", "name=two")));
        assertThat(error.what()).contains("differs in corpus");
    }

    @Test
    void membersWithAnotherCorpusAreRejected() {
        UserError error =
                catchThrowableOfType(UserError.class, () -> run(ensemble("[]", "corpus.train=[train.csv, dev.csv]")));
        assertThat(error.where()).endsWith("linear.yaml");
        assertThat(error.what()).contains("straight-s1");
    }

    @Test
    void membersArePreparedLikeTheEnsemble() {
        run(ensemble("[]", "preprocessing.min_token_count=2"));
        assertThat(tiny.runs().resolve("straight-in-both-s1")).exists();
        assertThat(tiny.runs().resolve("straight-s1")).doesNotExist();
    }

    @Test
    void seedsOfTheEnsembleAreNotPartOfTheNamesOfItsMembers() {
        run(ensemble("[]", "preprocessing.min_token_count=2").withSeed(1));
        assertThat(tiny.runs().resolve("both-s1")).exists();
        assertThat(tiny.runs().resolve("straight-in-both-s1")).exists();
    }

    @Test
    void membersLoseNothingThatTheyTrainOn() {
        Map<String, String> losses = Map.of(
                "preprocessing.passage_tokens",
                "preprocessing: {passage_tokens: 8}",
                "unlabelled",
                "unlabelled: [{format: csv, path: ., train: [train.csv]}]");
        losses.forEach((setting, yaml) -> {
            tiny.write(
                    "linear.yaml",
                    "extends: [laat-tiny.yaml, linear]",
                    "name: straight",
                    "word_vectors: {size: 8, window: 5, smoothing: 0.75, power: 0.5, passes: 1, scale: 0.3, max_pairs: 1000}",
                    yaml);
            UserError error = catchThrowableOfType(UserError.class, () -> run(ensemble("[]")));
            assertThat(error.what()).contains("straight").contains(setting);
            assertThat(error.remedy()).contains("let both extend");
        });
        assertThat(tiny.runs().resolve("straight-s1")).doesNotExist();
    }

    @Test
    void nestedEnsemblesAreRejected() {
        Path file = tiny.write(
                "circle.yaml",
                "extends: laat-tiny.yaml",
                "name: circle",
                "model: {type: ensemble, members: [circle.yaml], seeds: []}");
        UserError error = catchThrowableOfType(UserError.class, () -> run(ExperimentFile.read(file, List.of())));
        assertThat(error.what()).contains("A member is an ensemble");
    }
}
