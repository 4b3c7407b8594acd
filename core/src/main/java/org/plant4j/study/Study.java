package org.plant4j.study;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.support.UserError;

/**
 * A question put to several variants of a model, as its file says: each variant is run from each seed on each number of
 * training documents (0: all), and judged on a part against the first variant.
 */
public record Study(
        String name,
        Kind kind,
        Map<String, Variant> variants,
        List<Long> seeds,
        List<Integer> sizes,
        Optional<String> part,
        List<String> codes,
        List<Integer> removed) {

    /** What is asked; the paper's experiments. */
    public enum Kind {
        @JsonProperty("low-shot")
        LOW_SHOT,
        @JsonProperty("overfitting")
        OVERFITTING,
        @JsonProperty("ablation")
        ABLATION,
        @JsonProperty("rare-codes")
        RARE_CODES,
        @JsonProperty("interpretability")
        INTERPRETABILITY,
        @JsonProperty("variants")
        VARIANTS,
        @JsonProperty("frequent-removed")
        FREQUENT_REMOVED,
        @JsonProperty("sharpness")
        SHARPNESS;

        Analysis createAnalysis(StudyRuns runs) {
            return switch (this) {
                case LOW_SHOT -> new LowShot(runs);
                case OVERFITTING -> new Overfitting(runs);
                case ABLATION -> new Ablation(runs);
                case RARE_CODES -> new RareLabels(runs);
                case INTERPRETABILITY -> new Interpretability(runs);
                case VARIANTS -> new VariantGrid(runs);
                case FREQUENT_REMOVED -> new FrequentLabelsRemoved(runs);
                case SHARPNESS -> new AttentionSharpness(runs);
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * An experiment by file or packaged name, and the settings by which it differs, such as {@code training.epochs}.
     * {@code factors} say what it is in a grid of variants, such as {@code encoder: ML BERT}.
     */
    public record Variant(String experiment, Map<String, JsonNode> set, Map<String, String> factors) {

        public Variant {
            factors = Collections.unmodifiableMap(new LinkedHashMap<>(factors));
            set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
        }

        private List<String> overrides() {
            return set.entrySet().stream()
                    .map(setting -> setting.getKey() + "=" + setting.getValue()) // JSON is YAML
                    .toList();
        }
    }

    /** One run of a study. */
    public record PlannedRun(String variant, int size, long seed, Experiment experiment) {}

    public Study {
        if (!name.matches("[A-Za-z0-9_-]+")) {
            throw new UserError("'" + name + "' cannot name a study", "name", "use letters, digits, '-' and '_'");
        }
        require(!variants.isEmpty(), "variants", "name at least one experiment");
        require(!seeds.isEmpty(), "seeds", "give at least one, such as [1, 2, 3]");
        require(!sizes.isEmpty(), "sizes", "give at least one number of training documents; 0 takes all");
        variants = Collections.unmodifiableMap(new LinkedHashMap<>(variants));
        seeds = seeds.stream().distinct().toList();
        sizes = sizes.stream().distinct().toList();
        codes = List.copyOf(codes);
        removed = removed.stream().distinct().toList();
        if (removed.isEmpty() || removed.stream().anyMatch(count -> count < 0)) {
            throw new UserError(
                    "Codes cannot be removed by numbers " + removed, "removed", "give some, such as [0, 2, 9]");
        }
    }

    private static void require(boolean holds, String setting, String remedy) {
        if (!holds) {
            throw new UserError("The study has no " + setting, setting, remedy);
        }
    }

    /** Every run, sizes within variants and seeds within sizes. */
    public List<PlannedRun> plannedRuns() {
        List<PlannedRun> cells = new ArrayList<>();
        Map<String, String> owners = new HashMap<>();
        variants.forEach((label, variant) -> {
            Experiment experiment = experiment(label, variant);
            for (int size : sizes) {
                for (long seed : seeds) {
                    Experiment one = experiment.withTrainingDocuments(size).withSeed(seed);
                    String owner = owners.putIfAbsent(one.name(), label);
                    if (owner != null) {
                        throw new UserError(
                                "Variants '" + owner + "' and '" + label + "' are the same run, " + one.name(),
                                "variants of " + name,
                                "drop one, or give their experiments names of their own");
                    }
                    cells.add(new PlannedRun(label, size, seed, one));
                }
            }
        });
        return cells;
    }

    /**
     * An experiment as it stands keeps its name, so that studies share its runs; one with other settings gets a name that
     * hangs on them. Where it is computed changes nothing.
     */
    private static Experiment experiment(String label, Variant variant) {
        List<String> overrides = variant.overrides();
        List<String> telling = overrides.stream()
                .filter(override -> !override.startsWith("compute."))
                .sorted()
                .toList();
        if (telling.isEmpty() || variant.set().containsKey("name")) {
            return ExperimentFile.open(variant.experiment(), overrides);
        }
        String plain = ExperimentFile.open(variant.experiment(), List.of()).name();
        String slug =
                label.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        String named = plain.endsWith("-" + slug) || slug.isEmpty() ? plain : plain + "-" + slug;
        String settings = Integer.toHexString(telling.hashCode()); // of strings, so the same on every machine
        return ExperimentFile.open(
                variant.experiment(),
                Stream.concat(overrides.stream(), Stream.of("name=" + named + "-" + settings))
                        .toList());
    }
}
