package org.plant4j.train;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.support.StrictJson;

/** Loss and metrics of each epoch. */
public record TrainingHistory(List<Epoch> epochs) {

    private static final ObjectMapper JSON = StrictJson.builder().build();

    /** One epoch; {@code metrics} are further dev metrics by name. */
    public record Epoch(
            int epoch,
            double trainLoss,
            double devLoss,
            double devMetric,
            double seconds,
            Map<String, Double> metrics) {

        public Epoch {
            metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        }

        public Epoch(int epoch, double trainLoss, double devLoss, double devMetric, double seconds) {
            this(epoch, trainLoss, devLoss, devMetric, seconds, Map.of());
        }

        /** NaN if it was not computed. */
        public double metric(String name) {
            return metrics.getOrDefault(name, Double.NaN);
        }
    }

    public static final TrainingHistory EMPTY = new TrainingHistory(List.of());

    public TrainingHistory {
        epochs = List.copyOf(epochs);
    }

    TrainingHistory with(Epoch epoch) {
        List<Epoch> longer = new ArrayList<>(epochs);
        longer.add(epoch);
        return new TrainingHistory(longer);
    }

    /** The epoch with the best dev metric, the earliest of several. NaN is worse than any value. */
    public Optional<Epoch> best() {
        return epochs.stream()
                .max(Comparator.comparingDouble((Epoch epoch) ->
                                Double.isNaN(epoch.devMetric()) ? Double.NEGATIVE_INFINITY : epoch.devMetric())
                        .thenComparing(Comparator.comparingInt(Epoch::epoch).reversed()));
    }

    String toJson() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static TrainingHistory fromJson(String json) {
        try {
            return JSON.readValue(json, TrainingHistory.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("history: " + e.getOriginalMessage(), e);
        }
    }
}
