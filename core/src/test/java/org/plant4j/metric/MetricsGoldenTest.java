package org.plant4j.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Evaluation;
import org.plant4j.FrequencyBucket;
import org.plant4j.Thresholds;

/** Compares all metrics with scikit-learn and independent definitions; golden.py generates golden.json. */
class MetricsGoldenTest {

    private static final Offset<Double> TOLERANCE = within(1e-9);

    private static JsonNode golden = new ObjectMapper().createObjectNode();

    @BeforeAll
    static void read() throws IOException {
        try (InputStream in = Objects.requireNonNull(MetricsGoldenTest.class.getResourceAsStream("golden.json"))) {
            golden = new ObjectMapper().readTree(in);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"empty", "full", "unseen"})
    void dataEqualThoseOfTheScript(String kind) {
        GoldenData data = GoldenData.of(kind);
        double sum = 0;
        for (float[] row : data.scores()) {
            for (float score : row) {
                sum += score;
            }
        }
        assertThat(Arrays.stream(data.gold()).mapToInt(LabelSet::size).sum())
                .isEqualTo(golden.at("/" + kind + "/check/0").asInt());
        assertThat(sum).isEqualTo(golden.at("/" + kind + "/check/1").asDouble());
        assertThat(Arrays.stream(data.frequency()).sum())
                .isEqualTo(golden.at("/" + kind + "/check/2").asInt());
    }

    @ParameterizedTest
    @ValueSource(strings = {"empty", "full", "unseen"})
    void everyMetricAgrees(String kind) {
        JsonNode expected = golden.at("/" + kind + "/metrics");
        Map<String, Double> metrics = evaluate(kind).metrics();

        assertThat(expected.size()).isEqualTo(metrics.size());
        assertAgreement(kind, expected, metrics);
    }

    @ParameterizedTest
    @ValueSource(strings = {"empty", "full", "unseen"})
    void everyMetricOfEveryFrequencyBucketAgrees(String kind) {
        JsonNode expected = golden.at("/" + kind + "/buckets");
        Evaluation evaluation = evaluate(kind);

        assertThat(evaluation.buckets()).hasSize(expected.size());
        for (int i = 0; i < expected.size(); i++) {
            FrequencyBucket bucket = evaluation.buckets().get(i);
            assertAgreement(kind + " " + bucket.name(), expected.get(i), bucket.metrics());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"empty", "full", "unseen"})
    void tunedThresholdsAgree(String kind) {
        GoldenData data = GoldenData.of(kind);
        Thresholds thresholds = ThresholdTuner.tunePerLabel(Scores.of(data.scores()), data.gold(), 8);

        assertThat((double) thresholds.global())
                .isEqualTo(golden.at("/" + kind + "/threshold").asDouble());
        for (int label = 0; label < GoldenData.LABELS; label++) {
            assertThat((double) thresholds.threshold(label))
                    .as("label " + label)
                    .isEqualTo(golden.at("/" + kind + "/thresholds/" + label).asDouble());
        }
    }

    private static Evaluation evaluate(String kind) {
        GoldenData data = GoldenData.of(kind);
        return new Evaluator(Evaluator.Options.standard(1), GoldenData.TRAIN_DOCUMENTS, data.frequency())
                .evaluate(Scores.of(data.scores()), data.gold(), Thresholds.global(0.5f));
    }

    private static void assertAgreement(String where, JsonNode expected, Map<String, Double> metrics) {
        expected.properties().forEach(entry -> {
            assertThat(metrics).as(where).containsKey(entry.getKey());
            assertThat(metrics.get(entry.getKey()))
                    .as(where + ": " + entry.getKey())
                    .isCloseTo(entry.getValue().asDouble(), TOLERANCE);
        });
    }
}
