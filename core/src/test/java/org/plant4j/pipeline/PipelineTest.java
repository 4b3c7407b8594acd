package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.plant4j.Coder;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.model.LabelNetwork;
import org.plant4j.pipeline.stage.Fingerprint;

class PipelineTest extends PipelineTestCase {

    @Test
    void stagesAreReportedInOrderAndReusedByASecondRun() throws IOException {
        Experiment experiment = tiny.laat(VECTORS);
        assertThat(run(experiment)).isTrue();
        assertThat(stages)
                .satisfiesExactly(
                        prepare -> assertThat(prepare).matches("prepare: vocabulary \\d+ · labels 4"),
                        vectors -> assertThat(vectors).isEqualTo("word-vectors: 8 dimensions"),
                        train -> assertThat(train).matches("network: best epoch [123] of 3, dev MAP \\d+\\.\\d{2} %"),
                        evaluate -> assertThat(evaluate).isEqualTo("evaluate: done"));
        RunDirectory run = runDirectory(experiment);
        assertThat(Stream.of(
                        run.report(),
                        run.metrics("dev"),
                        run.metrics("test"),
                        run.predictions("test"),
                        run.thresholds()))
                .allMatch(Files::exists);
        assertThat(run.checkpoint()).doesNotExist();
        assertThat(manifest(run).isDone()).isTrue();
        assertThat(manifest(run).sizes()).containsEntry("train", 24L).containsEntry("test", 9L);

        Map<String, String> before = contents(run.path());
        stages.clear();
        assertThat(run(experiment)).isTrue();
        assertThat(stages).containsExactly("prepare: reused", "network: reused " + run.path(), "evaluate: reused");
        assertThat(contents(run.path())).isEqualTo(before);
    }

    @Test
    void aFinishedRunOfAnEarlierVersionIsCalibratedFromItsPredictions() throws IOException {
        RunDirectory run = runDirectory(tiny.laat());
        run(tiny.laat());
        String written = Files.readString(run.calibration());
        TinyExperiment.removeChecksums(run);
        Files.delete(run.calibration());
        run(tiny.laat());
        assertThat(run.calibration()).hasContent(written);
        assertThat(run.has(run.calibration())).isTrue();
    }

    /** A setting that is added to a model changes the fingerprint of all its runs, but not what they were trained with. */
    @Test
    void aFinishedRunOfAnEarlierVersionIsReusedUnderItsOldFingerprint() throws IOException {
        run(tiny.prior());
        RunDirectory run = runDirectory(tiny.prior());
        run.updateManifest(manifest -> withFingerprint(manifest, "before"));
        stages.clear();
        assertThat(run(tiny.prior())).isTrue();
        assertThat(stages).anyMatch(line -> line.startsWith("model: reused"));
        assertThat(manifest(run).fingerprint()).isEqualTo("before");
        assertThatThrownBy(() -> run(tiny.prior("seed=9"))).hasMessageContaining("other settings");
        tiny.append("dev.csv", "e,Heart failing.,I50.9");
        assertThatThrownBy(() -> run(tiny.prior())).hasMessageContaining("other data");
    }

    private static RunManifest withFingerprint(RunManifest m, String fingerprint) {
        return new RunManifest(
                m.format(),
                m.name(),
                m.status(),
                fingerprint,
                m.seed(),
                m.command(),
                m.started(),
                m.versions(),
                m.inputs(),
                m.sizes(),
                m.seconds(),
                m.usage(),
                m.files());
    }

    @Test
    void twoRunsShareThePreparedCorpusAndVectors() {
        run(tiny.laat(VECTORS));
        stages.clear();
        run(tiny.laat(VECTORS, "name=other", "training.learning_rate=0.002"));
        assertThat(stages)
                .startsWith("prepare: reused", "word-vectors: reused")
                .last()
                .isEqualTo("evaluate: done");
        stages.clear();
        run(tiny.laat(VECTORS, "name=seed", "seed=2"));
        assertThat(stages).startsWith("prepare: reused", "word-vectors: 8 dimensions");
    }

    @Test
    void truncatedWordVectorsAreTrainedAgain() throws IOException {
        run(tiny.laat(VECTORS));
        try (Stream<Path> cached = Files.list(tiny.runs().resolve(".cache"))) {
            for (Path file :
                    cached.filter(path -> path.toString().contains("vectors-")).toList()) {
                Files.write(file, new byte[] {0, 0, 0, 9});
            }
        }
        stages.clear();
        run(tiny.laat(VECTORS, "name=other"));
        assertThat(stages).contains("word-vectors: 8 dimensions");
    }

    @Test
    void equalSeedsGiveEqualWeights() throws IOException {
        run(tiny.laat());
        run(tiny.laat("name=again"));
        run(tiny.laat("name=other", "seed=2"));
        assertThat(weights("again")).isEqualTo(weights("tiny")).isNotEqualTo(weights("other"));
    }

    @Test
    void otherSettingsUnderTheSameNameAreRejectedAndTheRunIsKept() throws IOException {
        Experiment first = tiny.prior();
        run(first);
        Map<String, String> before = contents(runDirectory(first).path());
        UserError error = catchThrowableOfType(UserError.class, () -> run(tiny.prior("seed=2")));
        assertThat(error.where()).isEqualTo(runDirectory(first).path().toString());
        assertThat(error.remedy()).contains("--force");
        assertThat(contents(runDirectory(first).path())).isEqualTo(before);
    }

    @Test
    void conflictingSettingsAreRejectedBeforeAnyStageRuns() {
        run(tiny.prior());
        stages.clear();
        assertThat(catchThrowableOfType(UserError.class, () -> run(tiny.prior("preprocessing.min_token_count=2"))))
                .isNotNull();
        assertThat(stages).isEmpty();
    }

    @Test
    void forceReplacesTheRunButNotItsLog() throws IOException {
        Experiment first = tiny.laat();
        run(first);
        Files.writeString(runDirectory(first).log(), "existing log");
        assertThat(run(tiny.prior(), BadRowHandler.fail(), true, () -> false)).isTrue();
        assertThat(runDirectory(first).log()).hasContent("existing log");
        assertThat(runDirectory(first).path().resolve(LabelNetwork.WEIGHTS)).doesNotExist();
        assertThat(runDirectory(first).path().resolve("prior.txt")).exists();
    }

    @Test
    void forceKeepsTheOldRunIfTheNewOneCannotStart() throws IOException {
        Experiment first = tiny.prior();
        run(first);
        Map<String, String> before = contents(runDirectory(first).path());
        UserError error = catchThrowableOfType(
                UserError.class,
                () -> run(tiny.prior("code_sets=[/no/such.tsv]"), BadRowHandler.fail(), true, () -> false));
        assertThat(error.where()).contains("such.tsv");
        assertThat(contents(runDirectory(first).path())).isEqualTo(before);
    }

    @Test
    void changedEvaluationSettingsRepeatOnlyTheEvaluation() throws IOException {
        Experiment experiment = tiny.laat();
        run(experiment);
        byte[] weights = weights("tiny");
        stages.clear();
        run(tiny.laat("evaluation.thresholds=per_label"));
        RunDirectory run = runDirectory(experiment);
        assertThat(stages).containsExactly("prepare: reused", "network: reused " + run.path(), "evaluate: done");
        assertThat(weights("tiny")).isEqualTo(weights);
        assertThat(run.readThresholds().perLabel()).hasSize(4);
        assertThat(run.experiment()).content().contains("per_label");
        assertThat(run.report()).content().contains("per_label");
        stages.clear();
        run(tiny.laat("evaluation.thresholds=per_label"));
        assertThat(stages).last().isEqualTo("evaluate: reused");
    }

    @Test
    void codeSetsCanBeAddedToAFinishedRun() throws IOException {
        tiny.write("code-set.tsv", "code\tdescription\tparent\tvalid", "I50.9\tHeart failure\t\t1");
        run(tiny.prior());
        stages.clear();
        run(tiny.prior("code_sets=[" + directory.resolve("code-set.tsv") + "]"));
        assertThat(stages).last().isEqualTo("evaluate: reused");
        try (Coder coder = Coder.load(runDirectory(tiny.prior()).path())) {
            assertThat(coder.description("I50.9")).isEqualTo("Heart failure");
        }
        run(tiny.prior());
        assertThat(runDirectory(tiny.prior()).codeSet()).content().doesNotContain("Heart");
    }

    @Test
    void withoutTestOnlyDevIsEvaluated() {
        Experiment experiment = tiny.prior("corpus.test=[]");
        run(experiment);
        assertThat(runDirectory(experiment).metrics("dev")).exists();
        assertThat(runDirectory(experiment).metrics("test")).doesNotExist();
    }

    @Test
    void testWithoutCodesIsNotEvaluated() {
        tiny.write("test.csv", "id,text", "a,Heart failing.");
        Experiment experiment = tiny.prior("corpus.options.uncoded=keep");
        run(experiment);
        assertThat(runDirectory(experiment).metrics("test")).doesNotExist();
        assertThat(manifest(runDirectory(experiment)).sizes()).containsEntry("test", 1L);
    }

    private static Map<String, String> contents(Path path) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.toList()) {
                contents.put(file.toString(), new Fingerprint().addFiles(file).hex() + Files.getLastModifiedTime(file));
            }
        }
        return contents;
    }
}
