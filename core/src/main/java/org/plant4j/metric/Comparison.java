package org.plant4j.metric;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.plant4j.UserError;
import org.plant4j.statistics.ApproximateRandomization;
import org.plant4j.statistics.PairedMean;
import org.plant4j.statistics.PairedRatio;
import org.plant4j.statistics.PairedStatistic;
import org.plant4j.statistics.Ratio;
import org.plant4j.support.Arguments;

/** The metrics of two systems on the same documents, their differences, and the p-values of the differences. */
public record Comparison(String first, String second, int documents, List<Row> rows) {

    /** One metric; {@code difference} is second minus first. */
    public record Row(String metric, double first, double second, double difference, double pValue) {}

    public Comparison {
        rows = List.copyOf(rows);
    }

    /** Compares two runs. Documents are matched by id; both runs must have the same documents and gold labels. */
    public static Comparison of(
            String nameA,
            Predictions a,
            String nameB,
            Predictions b,
            List<Integer> cutoffs,
            ApproximateRandomization test) {
        return of(nameA, List.of(a), nameB, List.of(b), cutoffs, test);
    }

    /**
     * Compares two systems, each with one run per seed. Metrics are means over the seeds. A permutation swaps a document's
     * results of all seeds together, so the test randomizes over documents.
     */
    public static Comparison of(
            String nameA,
            List<Predictions> a,
            String nameB,
            List<Predictions> b,
            List<Integer> cutoffs,
            ApproximateRandomization test) {
        Arguments.check(
                !a.isEmpty() && a.size() == b.size(), "runs", b.size(), Math.max(1, a.size()) + ", one per seed");
        Predictions reference = a.get(0);
        List<List<PairedStatistic>> seeds = IntStream.range(0, a.size())
                .mapToObj(seed -> statistics(
                        align(nameA, reference, nameA, a.get(seed)),
                        align(nameA, reference, nameB, b.get(seed)),
                        cutoffs))
                .toList();
        List<PairedStatistic> statistics = IntStream.range(0, seeds.get(0).size())
                .<PairedStatistic>mapToObj(metric -> new PairedMean(
                        seeds.stream().map(seed -> seed.get(metric)).toList()))
                .toList();
        int documents = reference.documents().size();
        double[] pValues = test.pValues(statistics, documents);
        return new Comparison(
                nameA,
                nameB,
                documents,
                IntStream.range(0, statistics.size())
                        .mapToObj(i -> row(statistics.get(i), pValues[i]))
                        .toList());
    }

    /** The row of a metric. */
    public Row row(String metric) {
        return rows.stream()
                .filter(row -> row.metric().equals(metric))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("metric: " + metric));
    }

    private static Row row(PairedStatistic statistic, double pValue) {
        return new Row(
                statistic.name(),
                statistic.first(),
                statistic.second(),
                statistic.second() - statistic.first(),
                pValue);
    }

    private static List<PairedStatistic> statistics(Predictions a, Predictions b, List<Integer> cutoffs) {
        Map<String, Integer> labelIds = new HashMap<>();
        LabelSet[] gold = a.goldSets(labelIds);
        LabelSet[] predictedA = a.predictedSets(labelIds);
        LabelSet[] predictedB = b.predictedSets(labelIds);
        List<Ratio> ratiosA = a.ratios(cutoffs);
        List<Ratio> ratiosB = b.ratios(cutoffs);
        List<PairedStatistic> statistics = new ArrayList<>();
        for (int i = 0; i < ratiosA.size(); i++) {
            statistics.add(new PairedRatio(ratiosA.get(i), ratiosB.get(i)));
        }
        statistics.add(new PairedMacroF1(predictedA, predictedB, gold));
        return statistics;
    }

    /** The documents of {@code b} in the order of {@code a}. */
    private static Predictions align(String nameA, Predictions a, String nameB, Predictions b) {
        Map<String, Predictions.ScoredDocument> byId = b.byId();
        if (a.byId().size() < a.documents().size()
                || byId.size() < b.documents().size()) {
            throw new UserError(
                    "The runs cannot be compared: some document ids occur more than once",
                    nameA + ", " + nameB,
                    "give every document of the corpus a unique id");
        }
        if (!a.byId().keySet().equals(byId.keySet())) {
            throw new UserError(
                    "The runs were not scored on the same documents: "
                            + a.documents().size() + " and " + b.documents().size() + " documents with different ids",
                    nameA + ", " + nameB,
                    "evaluate both runs on the same split of the same corpus");
        }
        List<Predictions.ScoredDocument> aligned = new ArrayList<>();
        for (Predictions.ScoredDocument document : a.documents()) {
            Predictions.ScoredDocument other = byId.get(document.id());
            if (other == null || !new HashSet<>(document.gold()).equals(new HashSet<>(other.gold()))) {
                throw new UserError(
                        "The runs have different gold codes for document '" + document.id() + "'",
                        nameA + ", " + nameB,
                        "evaluate both runs on the same corpus with the same code selection");
            }
            aligned.add(other);
        }
        return new Predictions(aligned);
    }
}
