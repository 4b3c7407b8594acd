package org.plant4j.metric;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.plant4j.metric.Predictions.ScoredDocument;

/**
 * Where predictions are wrong: by label, by document, and why gold codes were missed.
 *
 * @param labels labels that are gold or predicted, those with most gold documents first
 * @param documents documents with gold codes, the one with the lowest average precision first
 * @param missed the number of missed gold codes by {@link Cause}
 * @param unseenCodes distinct gold codes without training documents, of {@code goldCodes}
 */
public record ErrorAnalysis(
        List<LabelErrors> labels,
        List<DocumentErrors> documents,
        Map<Cause, Integer> missed,
        int goldPairs,
        int unseenCodes,
        int goldCodes) {

    /** Ranks up to this one are near enough for a reader of the list to see the code. */
    private static final int NEAR = 15;

    private static final int RARE = 5;

    /** Why a gold code was not predicted; the first that applies. */
    public enum Cause {
        UNSEEN("never occurs in training"),
        NEAR_MISS("among the first " + NEAR + ", below the threshold"),
        RARE_LABEL("ranked lower, 1 to " + RARE + " training documents"),
        LOW_RANK("ranked lower, more training documents");

        private final String description;

        Cause(String description) {
            this.description = description;
        }

        public String description() {
            return description;
        }
    }

    /** A label: how many documents have it, were predicted to have it, and both. */
    public record LabelErrors(String code, int training, int gold, int predicted, int correct) {

        public double precision() {
            return predicted == 0 ? Double.NaN : correct / (double) predicted;
        }

        public double recall() {
            return gold == 0 ? Double.NaN : correct / (double) gold;
        }

        public double f1() {
            return 2.0 * correct / (gold + predicted);
        }
    }

    /** A document: the average precision of its ranking, and its errors at the threshold. */
    public record DocumentErrors(
            String id, int gold, double averagePrecision, List<String> missed, List<String> wrong) {}

    /** {@code training} returns the number of training documents of a code. */
    public static ErrorAnalysis of(Predictions predictions, ToIntFunction<String> training) {
        Map<String, int[]> counts = new TreeMap<>(); // gold, predicted, correct
        Map<Cause, Integer> missed = new LinkedHashMap<>();
        List<DocumentErrors> documents = new ArrayList<>();
        AveragePrecision metric = new AveragePrecision();
        int pairs = 0;
        for (ScoredDocument document : predictions.documents()) {
            Set<String> predicted = new HashSet<>(document.predicted());
            List<String> missedHere = new ArrayList<>();
            for (int i = 0; i < document.gold().size(); i++) {
                String code = document.gold().get(i);
                count(counts, code)[0]++;
                pairs++;
                if (predicted.contains(code)) {
                    count(counts, code)[2]++;
                } else {
                    missedHere.add(code);
                    missed.merge(cause(document.goldRanks().get(i), training.applyAsInt(code)), 1, Integer::sum);
                }
            }
            predicted.forEach(code -> count(counts, code)[1]++);
            Set<String> gold = new HashSet<>(document.gold());
            if (!gold.isEmpty()) {
                documents.add(new DocumentErrors(
                        document.id(),
                        gold.size(),
                        metric.compute(document.ranks()),
                        missedHere,
                        document.predicted().stream()
                                .filter(code -> !gold.contains(code))
                                .toList()));
            }
        }
        documents.sort(Comparator.comparing(DocumentErrors::averagePrecision)
                .thenComparing(document -> -document.missed().size())
                .thenComparing(DocumentErrors::id));
        List<LabelErrors> labels = counts.entrySet().stream()
                .map(entry -> new LabelErrors(
                        entry.getKey(),
                        training.applyAsInt(entry.getKey()),
                        entry.getValue()[0],
                        entry.getValue()[1],
                        entry.getValue()[2]))
                .sorted(Comparator.comparing(LabelErrors::gold)
                        .reversed()
                        .thenComparing(LabelErrors::f1)
                        .thenComparing(LabelErrors::code))
                .toList();
        List<LabelErrors> goldLabels =
                labels.stream().filter(label -> label.gold() > 0).toList();
        int unseen =
                (int) goldLabels.stream().filter(label -> label.training() == 0).count();
        return new ErrorAnalysis(labels, List.copyOf(documents), missed, pairs, unseen, goldLabels.size());
    }

    private static int[] count(Map<String, int[]> counts, String code) {
        return counts.computeIfAbsent(code, key -> new int[3]);
    }

    private static Cause cause(int rank, int training) {
        if (training == 0 && rank == 0) {
            return Cause.UNSEEN;
        }
        if (rank > 0 && rank <= NEAR) {
            return Cause.NEAR_MISS;
        }
        return training <= RARE ? Cause.RARE_LABEL : Cause.LOW_RANK;
    }
}
