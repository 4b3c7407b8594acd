package org.plant4j.metric;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.Evaluation;
import org.plant4j.MetricNames;
import org.plant4j.RankedCode;
import org.plant4j.Thresholds;
import org.plant4j.statistics.Ratio;
import org.plant4j.support.Arguments;

/**
 * Computes metrics from lists of codes by document id, as other programs produce them. Codes that are not listed have no rank
 * and are not predicted. Metrics that need the scores of all codes, or training frequencies, are left out.
 */
public final class ListedCodes {

    private static final long SEED = 1;

    private final Evaluator.Options options = Evaluator.Options.standard(SEED);
    private final List<Set<String>> gold;
    private final Map<String, Integer> labelIds = new HashMap<>();

    private ListedCodes(List<Set<String>> gold) {
        this.gold = gold;
    }

    /** The metrics of predicted sets of codes. */
    public static Evaluation evaluateSets(
            Map<String, ? extends Collection<String>> gold, Map<String, ? extends Collection<String>> predicted) {
        checkDocuments(gold.keySet(), predicted.keySet());
        List<Set<String>> predictedSets = gold.keySet().stream()
                .map(id -> predicted.containsKey(id) ? new TreeSet<>(predicted.get(id)) : Set.<String>of())
                .toList();
        return new ListedCodes(sets(gold)).evaluation(Thresholds.global(0), predictedSets, Stream.empty());
    }

    /** The metrics of rankings, of which the codes that reach the threshold are predicted. */
    public static Evaluation evaluateRankings(
            Map<String, ? extends Collection<String>> gold,
            Map<String, ? extends Collection<RankedCode>> rankings,
            double threshold) {
        checkDocuments(gold.keySet(), rankings.keySet());
        List<List<RankedCode>> ranked = gold.keySet().stream()
                .map(id -> rankings.containsKey(id) ? ranked(id, rankings.get(id)) : List.<RankedCode>of())
                .toList();
        List<Set<String>> predicted = ranked.stream()
                .<Set<String>>map(codes -> new TreeSet<>(codes.stream()
                        .filter(code -> code.score() >= threshold)
                        .map(RankedCode::code)
                        .toList()))
                .toList();
        ListedCodes listed = new ListedCodes(sets(gold));
        GoldRanks[] ranks = IntStream.range(0, ranked.size())
                .mapToObj(d -> GoldRanks.of(
                        ranked.get(d).stream().map(RankedCode::code).toList(), listed.gold.get(d)))
                .toArray(GoldRanks[]::new);
        return listed.evaluation(
                Thresholds.global((float) threshold),
                predicted,
                RankingMetric.standard(listed.options.cutoffs()).stream().map(metric -> metric.mean(ranks)));
    }

    private static void checkDocuments(Set<String> gold, Set<String> predicted) {
        Arguments.check(!gold.isEmpty(), "gold", gold, "at least one document");
        for (String id : predicted) {
            Arguments.check(gold.contains(id), "predicted", id, "a document that gold contains");
        }
    }

    private static List<Set<String>> sets(Map<String, ? extends Collection<String>> codes) {
        return codes.values().stream().<Set<String>>map(TreeSet::new).toList();
    }

    /** The codes by descending score; codes with equal scores keep their order. */
    private static List<RankedCode> ranked(String id, Collection<RankedCode> codes) {
        Set<String> seen = new HashSet<>();
        for (RankedCode code : codes) {
            Arguments.check(!Double.isNaN(code.score()), "score of " + code.code(), code.score(), "a number");
            Arguments.check(seen.add(code.code()), "codes of document " + id, code.code(), "each code once");
        }
        return codes.stream()
                .sorted(Comparator.comparingDouble(RankedCode::score).reversed())
                .toList();
    }

    private Evaluation evaluation(Thresholds thresholds, List<Set<String>> predicted, Stream<Ratio> rankingMetrics) {
        LabelSet[] goldSets = gold.stream().map(this::labels).toArray(LabelSet[]::new);
        LabelSet[] predictedSets = predicted.stream().map(this::labels).toArray(LabelSet[]::new);
        List<Ratio> ratios = Stream.concat(rankingMetrics, SetMetrics.of(predictedSets, goldSets).stream())
                .toList();
        Map<String, Double> metrics = new LinkedHashMap<>();
        ratios.forEach(ratio -> metrics.put(ratio.name(), ratio.value()));
        int[] all = IntStream.range(0, labelIds.size()).toArray();
        LabelCounts.of(all.length, predictedSets, goldSets).addAverages(all, metrics);
        addCounts(metrics, goldSets, predictedSets);
        return new Evaluation(
                gold.size(), thresholds, metrics, options.bootstrap().intervals(ratios), List.of(), Map.of());
    }

    private void addCounts(Map<String, Double> metrics, LabelSet[] goldSets, LabelSet[] predictedSets) {
        metrics.put(MetricNames.LABELS, (double) labelIds.size());
        metrics.put(MetricNames.GOLD_LABELS, distinct(goldSets));
        metrics.put(MetricNames.PREDICTED_LABELS, distinct(predictedSets));
        metrics.put(MetricNames.GOLD_PER_DOCUMENT, perDocument(goldSets));
        metrics.put(MetricNames.PREDICTED_PER_DOCUMENT, perDocument(predictedSets));
    }

    private static double distinct(LabelSet[] sets) {
        return Arrays.stream(sets).flatMapToInt(LabelSet::stream).distinct().count();
    }

    private static double perDocument(LabelSet[] sets) {
        return Arrays.stream(sets).mapToInt(LabelSet::size).average().orElse(0);
    }

    private LabelSet labels(Set<String> codes) {
        return LabelSet.of(codes.stream()
                .map(code -> labelIds.computeIfAbsent(code, unknown -> labelIds.size()))
                .toList());
    }
}
