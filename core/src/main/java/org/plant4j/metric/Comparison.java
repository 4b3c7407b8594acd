package org.plant4j.metric;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.plant4j.statistics.ApproximateRandomization;
import org.plant4j.statistics.PairedMean;
import org.plant4j.statistics.PairedRatio;
import org.plant4j.statistics.PairedStatistic;
import org.plant4j.statistics.Ratio;
import org.plant4j.support.UserError;

/** Two runs side by side on the same documents: each metric, the difference, and how likely chance made it. */
public record Comparison(String first, String second, int documents, List<Row> rows) {

    /** One metric; the difference is second less first. */
    public record Row(String metric, double first, double second, double difference, double pValue) {}

    public Comparison {
        rows = List.copyOf(rows);
    }

    /** Documents are matched by id; both runs must have been scored on the same ones with the same gold codes. */
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
     * Two methods, each by the runs of several seeds: the metrics are means over the seeds, and where a document changes
     * sides, it does so with all its runs, so that documents are what chance is taken over.
     */
    public static Comparison of(
            String nameA,
            List<Predictions> a,
            String nameB,
            List<Predictions> b,
            List<Integer> cutoffs,
            ApproximateRandomization test) {
        if (a.isEmpty() || a.size() != b.size()) {
            throw new IllegalArgumentException("runs: " + a.size() + " and " + b.size() + " (expected: as many)");
        }
        Predictions order = a.get(0);
        List<List<PairedStatistic>> seeds = IntStream.range(0, a.size())
                .mapToObj(seed -> pairs(
                        aligned(nameA, order, nameA, a.get(seed)), aligned(nameA, order, nameB, b.get(seed)), cutoffs))
                .toList();
        List<PairedStatistic> pairs = IntStream.range(0, seeds.get(0).size())
                .<PairedStatistic>mapToObj(metric -> new PairedMean(
                        seeds.stream().map(pair -> pair.get(metric)).toList()))
                .toList();
        double[] pValues = test.pValues(pairs, order.documents().size());
        return new Comparison(
                nameA,
                nameB,
                order.documents().size(),
                IntStream.range(0, pairs.size())
                        .mapToObj(i -> row(pairs.get(i), pValues[i]))
                        .toList());
    }

    /** The row of a metric. */
    public Row row(String metric) {
        return rows.stream()
                .filter(row -> row.metric().equals(metric))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("metric: " + metric));
    }

    private static List<PairedStatistic> pairs(
            List<Predictions.ScoredDocument> left, List<Predictions.ScoredDocument> right, List<Integer> cutoffs) {
        Map<String, Integer> ids = new HashMap<>();
        LabelSet[] gold = sets(left, Predictions.ScoredDocument::gold, ids);
        LabelSet[] keptA = sets(left, Predictions.ScoredDocument::predicted, ids);
        LabelSet[] keptB = sets(right, Predictions.ScoredDocument::predicted, ids);

        List<Ratio> ratiosA = ratios(left, keptA, gold, cutoffs);
        List<Ratio> ratiosB = ratios(right, keptB, gold, cutoffs);
        List<PairedStatistic> pairs = new ArrayList<>();
        for (int i = 0; i < ratiosA.size(); i++) {
            pairs.add(new PairedRatio(ratiosA.get(i), ratiosB.get(i)));
        }
        pairs.add(new PairedMacroF1(keptA, keptB, gold));
        return pairs;
    }

    private static Row row(PairedStatistic pair, double pValue) {
        return new Row(pair.name(), pair.first(), pair.second(), pair.second() - pair.first(), pValue);
    }

    private static List<Predictions.ScoredDocument> aligned(String nameA, Predictions a, String nameB, Predictions b) {
        Map<String, Predictions.ScoredDocument> byId = b.byId();
        if (a.byId().size() < a.documents().size()
                || byId.size() < b.documents().size()) {
            throw new UserError(
                    "Document ids occur twice, so the runs cannot be matched",
                    nameA + ", " + nameB,
                    "give every document of the corpus its own id");
        }
        if (!a.byId().keySet().equals(byId.keySet())) {
            throw new UserError(
                    "The runs were not scored on the same documents: "
                            + a.documents().size() + " and " + b.documents().size() + ", with different ids",
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
        return aligned;
    }

    private static LabelSet[] sets(
            List<Predictions.ScoredDocument> documents,
            Function<Predictions.ScoredDocument, List<String>> codes,
            Map<String, Integer> ids) {
        return documents.stream()
                .map(document -> LabelSet.of(codes.apply(document).stream()
                        .map(code -> ids.computeIfAbsent(code, c -> ids.size()))
                        .toList()))
                .toArray(LabelSet[]::new);
    }

    static List<Ratio> ratios(List<Predictions.ScoredDocument> documents, List<Integer> cutoffs) {
        Map<String, Integer> ids = new HashMap<>();
        LabelSet[] gold = sets(documents, Predictions.ScoredDocument::gold, ids);
        return ratios(documents, sets(documents, Predictions.ScoredDocument::predicted, ids), gold, cutoffs);
    }

    private static List<Ratio> ratios(
            List<Predictions.ScoredDocument> documents, LabelSet[] predicted, LabelSet[] gold, List<Integer> cutoffs) {
        GoldRanks[] ranks =
                documents.stream().map(Predictions.ScoredDocument::ranks).toArray(GoldRanks[]::new);
        List<Ratio> ratios = new ArrayList<>();
        ratios.add(Ratio.mean(new AveragePrecision(), ranks));
        ratios.add(Ratio.mean(new RPrecision(), ranks));
        cutoffs.forEach(k -> ratios.add(Ratio.mean(new PrecisionAtK(k), ranks)));
        cutoffs.forEach(k -> ratios.add(Ratio.mean(new RecallAtK(k), ranks)));
        cutoffs.forEach(k -> ratios.add(Ratio.mean(new NdcgAtK(k), ranks)));
        ratios.addAll(SetMetrics.of(predicted, gold));
        return ratios;
    }
}
