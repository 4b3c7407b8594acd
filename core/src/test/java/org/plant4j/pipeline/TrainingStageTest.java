package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.plant4j.Coder;
import org.plant4j.Thresholds;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunManifest;
import org.plant4j.train.Loss;
import org.plant4j.train.TrainingHistory;

class TrainingStageTest extends PipelineTestCase {

    @Test
    void anInterruptedRunCanPredictAndResumesToTheSameWeights() throws IOException {
        run(tiny.laat("name=uninterrupted"));
        assertResumedEqualsUninterrupted(9); // 6 steps per epoch: within the second epoch
    }

    @Test
    void aRunInterruptedInItsFirstEpochCanPredict() throws IOException {
        run(tiny.laat("name=uninterrupted"));
        assertResumedEqualsUninterrupted(2);
    }

    @Test
    void resumedTrainingWithoutDevEndsWithTheSameWeights() throws IOException {
        run(tiny.laat("name=uninterrupted", "corpus.dev=[]"));
        assertResumedEqualsUninterrupted(15, "corpus.dev=[]");
        assertThat(history("interrupted").best().orElseThrow().epoch()).isEqualTo(2);
    }

    @Test
    void resumedTrainingOnPartialDocumentsEndsWithTheSameWeights() throws IOException {
        String[] settings = {"training.partial_documents=0.5", "training.unknown_rate=0.1"};
        run(tiny.laat("name=uninterrupted", settings[0], settings[1]));
        assertResumedEqualsUninterrupted(9, settings);
        run(tiny.laat("name=whole"));
        assertThat(losses("whole")).isNotEqualTo(losses("uninterrupted"));
    }

    private void assertResumedEqualsUninterrupted(int steps, String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("name=interrupted");
        Experiment interrupted = tiny.laat(all.toArray(String[]::new));
        AtomicInteger polls = new AtomicInteger();
        assertThat(run(interrupted, BadRowHandler.fail(), false, () -> polls.incrementAndGet() > steps))
                .isFalse();
        assertThat(manifest(runDirectory(interrupted)).status()).isEqualTo(RunManifest.INTERRUPTED);
        assertThat(stages).last().asString().contains("interrupted");
        try (Coder coder = Coder.load(runDirectory(interrupted).path())) {
            assertThat(coder.code("Heart failing.").suggestions()).hasSize(4);
        }
        assertThat(run(interrupted)).isTrue();
        assertThat(weights("interrupted")).isEqualTo(weights("uninterrupted"));
        assertThat(losses("interrupted")).isEqualTo(losses("uninterrupted"));
        assertThat(runDirectory(interrupted).checkpoint()).doesNotExist();
    }

    @Test
    void withoutDevTheLastEpochIsKeptAndTestIsEvaluated() throws IOException {
        Experiment experiment = tiny.laat("corpus.dev=[]");
        run(experiment);
        assertThat(stages).anyMatch(line -> line.contains("the last one: dev has no labels"));
        assertThat(runDirectory(experiment).metrics("dev")).doesNotExist();
        assertThat(runDirectory(experiment).metrics("test")).exists();
        assertThat(runDirectory(experiment).readThresholds()).isEqualTo(Thresholds.global(0.5f));
        assertThat(history("tiny").best().orElseThrow().epoch()).isEqualTo(2);
    }

    @Test
    void devWithoutCodesIsTreatedAsMissing() throws IOException {
        tiny.write("dev.csv", "id,text,codes", "a,Heart failing.,", "b,Sugar raised.,");
        Experiment experiment = tiny.laat("corpus.options.uncoded=keep");
        run(experiment);
        assertThat(stages).anyMatch(line -> line.contains("the last one: dev has no labels"));
        assertThat(runDirectory(experiment).metrics("dev")).doesNotExist();
        assertThat(history("tiny").best().orElseThrow().epoch()).isEqualTo(2);
    }

    @Test
    void rankingMetricsOnDevAreKeptByEpoch() {
        run(tiny.laat());
        assertThat(history("tiny").epochs())
                .allSatisfy(epoch -> assertThat(epoch.metrics())
                        .containsOnlyKeys("MAP", "P@5", "P@8", "P@15", "micro-F1")
                        .containsEntry("MAP", epoch.devMetric()));
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void theDevLossEqualsTheTrainingLossOnTheSameDocuments(Loss loss) {
        // Without updates and dropout, the same documents have the same loss.
        run(tiny.laat(
                "training.loss=" + loss.name().toLowerCase(Locale.ROOT),
                "training.learning_rate=1e-12",
                "training.epochs=1",
                "model.dropout=0",
                "corpus.dev=[train.csv]"));
        TrainingHistory.Epoch epoch = history("tiny").epochs().get(0);
        assertThat(epoch.devLoss()).isCloseTo(epoch.trainLoss(), within(1e-4));
    }

    private List<Double> losses(String name) {
        return history(name).epochs().stream()
                .map(TrainingHistory.Epoch::trainLoss)
                .toList();
    }
}
