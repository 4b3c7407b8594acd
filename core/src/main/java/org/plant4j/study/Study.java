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
import java.util.function.Function;
import java.util.stream.Stream;
import org.plant4j.MetricNames;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;

/**
 * A study as its YAML file defines it: several variants of an experiment, each run with several seeds and training sizes,
 * and compared with the first variant.
 *
 * @param sizes numbers of training documents; 0 for all
 * @param split the split to evaluate on; test by default, if it has labels
 * @param codes the codes that an interpretability study shows; the most frequent ones if empty
 * @param metrics the columns of a comparison
 * @param groups the groups of labels that a comparison evaluates; see {@link LabelGroup}
 * @param removedLabels how many of the most frequent labels to remove, for {@link Kind#FREQUENT_LABELS_REMOVED}
 */
public record Study(
        String name,
        Kind kind,
        Map<String, Variant> variants,
        List<Long> seeds,
        List<Integer> sizes,
        Optional<String> split,
        List<String> codes,
        List<String> metrics,
        List<String> groups,
        List<Integer> removedLabels) {

    /** The kinds of studies with their analyses. */
    public enum Kind {
        @JsonProperty("low-shot")
        LOW_SHOT(LowShot::new),
        @JsonProperty("overfitting")
        OVERFITTING(Overfitting::new),
        @JsonProperty("ablation")
        ABLATION(Ablation::new),
        @JsonProperty("rare-labels")
        RARE_LABELS(RareLabels::new),
        @JsonProperty("interpretability")
        INTERPRETABILITY(Interpretability::new),
        @JsonProperty("variant-grid")
        VARIANT_GRID(VariantGrid::new),
        @JsonProperty("frequent-labels-removed")
        FREQUENT_LABELS_REMOVED(FrequentLabelsRemoved::new),
        @JsonProperty("attention-sharpness")
        ATTENTION_SHARPNESS(AttentionSharpness::new),
        @JsonProperty("comparison")
        COMPARISON(ModelComparison::new),
        @JsonProperty("ranker-quality")
        RANKER_QUALITY(RankerQuality::new),
        @JsonProperty("corpus-statistics")
        CORPUS_STATISTICS(CorpusStatistics::new);

        @SuppressWarnings("ImmutableEnumChecker") // always a constructor
        private final Function<StudyRuns, Analysis> analysis;

        Kind(Function<StudyRuns, Analysis> analysis) {
            this.analysis = analysis;
        }

        Analysis analyze(StudyRuns runs) {
            return analysis.apply(runs);
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * A variant.
     *
     * @param experiment {@code MODEL@CORPUS} or an experiment file
     * @param set settings that override the experiment, such as {@code training.epochs}
     * @param factors its position in a grid of variants, such as {@code encoder: ML BERT}
     */
    public record Variant(String experiment, Map<String, JsonNode> set, Map<String, String> factors) {

        public Variant {
            factors = Collections.unmodifiableMap(new LinkedHashMap<>(factors));
            set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
        }

        private List<String> overrides() {
            return set.entrySet().stream()
                    .map(setting -> setting.getKey() + "=" + setting.getValue()) // JSON values are valid YAML
                    .toList();
        }
    }

    /** One run of a study. */
    public record PlannedRun(String variant, int size, long seed, Experiment experiment) {}

    public Study {
        if (!name.matches("[A-Za-z0-9_@-]+")) {
            throw new UserError(
                    "Invalid study name '" + name + "'", "name", "use letters, digits, '-', '_' and '@' only");
        }
        require(!variants.isEmpty(), "variants", "list at least one experiment");
        require(!seeds.isEmpty(), "seeds", "list at least one, such as [1, 2, 3]");
        require(!sizes.isEmpty(), "sizes", "list at least one number of training documents; 0 for all");
        variants = Collections.unmodifiableMap(new LinkedHashMap<>(variants));
        seeds = seeds.stream().distinct().toList();
        sizes = sizes.stream().distinct().toList();
        codes = List.copyOf(codes);
        metrics = List.copyOf(metrics);
        groups = List.copyOf(groups);
        require(!metrics.isEmpty(), "metrics", "list at least one, such as [micro-F1, P@8]");
        require(!groups.isEmpty(), "groups", "list at least one, such as [all]");
        metrics.forEach(Study::checkMetric);
        groups.forEach(LabelGroup::check);
        removedLabels = removedLabels.stream().distinct().toList();
        if (removedLabels.isEmpty() || removedLabels.stream().anyMatch(count -> count < 0)) {
            throw new UserError(
                    "Invalid numbers of labels to remove: " + removedLabels,
                    "removed_labels",
                    "list at least one, none negative, such as [0, 2, 9]");
        }
    }

    private static void checkMetric(String metric) {
        if (MetricNames.description(metric).isEmpty()) {
            throw new UserError(
                    "Unknown metric '" + metric + "'", "metrics", "use names such as micro-F1, MAP and P@8");
        }
    }

    private static void require(boolean condition, String setting, String remedy) {
        if (!condition) {
            throw new UserError("The study has no " + setting, setting, remedy);
        }
    }

    /** All runs, ordered by variant, size and seed. */
    public List<PlannedRun> plannedRuns() {
        List<PlannedRun> planned = new ArrayList<>();
        Map<String, String> owners = new HashMap<>();
        variants.forEach((label, variant) -> {
            Experiment experiment = experiment(label, variant);
            for (int size : sizes) {
                for (long seed : seeds) {
                    Experiment concrete = experiment.withTrainingDocuments(size).withSeed(seed);
                    String owner = owners.putIfAbsent(concrete.name(), label);
                    if (owner != null) {
                        throw new UserError(
                                "Variants '" + owner + "' and '" + label + "' define the same run, " + concrete.name(),
                                "variants of " + name,
                                "remove one of them, or give their experiments different names");
                    }
                    planned.add(new PlannedRun(label, size, seed, concrete));
                }
            }
        });
        return planned;
    }

    /**
     * The experiment of a variant. Without overrides it keeps its name, so that studies share its runs; with overrides the
     * name ends in their hash. Compute settings do not count, because they do not change the result.
     */
    private static Experiment experiment(String label, Variant variant) {
        List<String> overrides = variant.overrides();
        List<String> relevant = overrides.stream()
                .filter(override -> !override.startsWith("compute."))
                .sorted()
                .toList();
        if (relevant.isEmpty() || variant.set().containsKey("name")) {
            return ExperimentFile.open(variant.experiment(), overrides);
        }
        String plain = ExperimentFile.open(variant.experiment(), overrides).name();
        String slug =
                label.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        String named = plain.endsWith("-" + slug) || slug.isEmpty() ? plain : plain + "-" + slug;
        String settings = Integer.toHexString(relevant.hashCode()); // a hash of strings is the same in every JVM
        return ExperimentFile.open(
                variant.experiment(),
                Stream.concat(overrides.stream(), Stream.of("name=" + named + "-" + settings))
                        .toList());
    }
}
