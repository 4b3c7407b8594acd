package org.plant4j.prediction;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.metric.AveragePrecision;
import org.plant4j.metric.GoldRanks;
import org.plant4j.prediction.Stacking.Weight;

/**
 * Finds the weights of a {@link Stacking} with the highest MAP by coordinate ascent (Metzler, Croft: Linear Feature-Based
 * Models for Information Retrieval, Information Retrieval 10, 2007): one weight after the other is raised or lowered by a
 * factor, which shrinks when no such change helps. The search starts from equal weights, so they are kept unless others are
 * better.
 */
final class StackingFit {

    private static final double[] FACTORS = {4, 2, 1.4, 1.2, 1.1};

    /** A smaller gain of MAP is noise, and would only make the weights less plausible. */
    private static final double MIN_GAIN = 1e-5;

    private static final int FOLDS = 5;

    /**
     * The labels of a document that any member ranks high, in a fixed order that decides ties.
     *
     * @param scores the score of each label by each member
     * @param logFrequencies ln(1 + f) of the training documents f of each label
     * @param gold positions of the gold labels
     * @param goldCount gold labels of the document, including those that no member ranks high
     */
    @SuppressWarnings("ArrayRecordComponent") // plain arrays for fitting, never compared
    record Candidates(List<double[]> scores, double[] logFrequencies, int[] gold, int goldCount) {

        double averagePrecision(double[] combined) {
            int[] ranks = IntStream.of(gold)
                    .map(label -> 1
                            + (int) IntStream.range(0, combined.length)
                                    .filter(other -> combined[other] > combined[label]
                                            || (combined[other] == combined[label] && other < label))
                                    .count())
                    .sorted()
                    .toArray();
            return new AveragePrecision().compute(GoldRanks.of(ranks, goldCount));
        }

        double[] memberScores(int member) {
            return scores.stream().mapToDouble(row -> row[member]).toArray();
        }

        double[] combined(Stacking stacking) {
            return stacking.combine(scores, logFrequencies);
        }
    }

    private final List<Candidates> documents;
    private final int members;
    private final int maximum;

    /** {@code maximum} is the number of training documents of the most frequent label. */
    StackingFit(List<Candidates> documents, int members, int maximum) {
        this.documents = documents;
        this.members = members;
        this.maximum = maximum;
    }

    /** The weights with the highest MAP on all documents. */
    Stacking fit() {
        return fit(documents);
    }

    /** MAP with weights from other documents: a fifth of the documents has the weights that the rest gives. */
    double crossValidatedMap() {
        double sum = 0;
        for (int fold = 0; fold < FOLDS; fold++) {
            List<Candidates> held = new ArrayList<>();
            List<Candidates> others = new ArrayList<>();
            for (int i = 0; i < documents.size(); i++) {
                (i % FOLDS == fold ? held : others).add(documents.get(i));
            }
            sum += map(fit(others), held) * held.size();
        }
        return sum / documents.size();
    }

    /** MAP of one member alone. */
    double memberMap(int member) {
        return documents.stream()
                .mapToDouble(document -> document.averagePrecision(document.memberScores(member)))
                .average()
                .orElse(0);
    }

    /** MAP with equal weights. */
    double meanMap() {
        return map(Stacking.mean(members, maximum), documents);
    }

    private static double map(Stacking stacking, List<Candidates> documents) {
        return documents.parallelStream()
                .mapToDouble(document -> document.averagePrecision(document.combined(stacking)))
                .average()
                .orElse(0);
    }

    private Stacking fit(List<Candidates> training) {
        Stacking best = Stacking.mean(members, maximum);
        double bestMap = map(best, training);
        for (double factor : FACTORS) {
            boolean improved = true;
            while (improved) {
                improved = false;
                for (int coordinate = 0; coordinate < 2 * members; coordinate++) {
                    for (Stacking changed : changes(best, coordinate, factor)) {
                        double map = map(changed, training);
                        if (map > bestMap + MIN_GAIN) {
                            best = changed;
                            bestMap = map;
                            improved = true;
                        }
                    }
                }
            }
        }
        return best.normalized();
    }

    /** One weight higher, lower and 0; a weight of 0 is raised to a part of the mean weight. */
    private List<Stacking> changes(Stacking from, int coordinate, double factor) {
        int member = coordinate % members;
        boolean rare = coordinate < members;
        Weight weight = from.members().get(member);
        double value = rare ? weight.rare() : weight.frequent();
        double[] values =
                value == 0 ? new double[] {1.0 / factor / members} : new double[] {value * factor, value / factor, 0};
        List<Stacking> changes = new ArrayList<>();
        for (double changed : values) {
            List<Weight> weights = new ArrayList<>(from.members());
            weights.set(member, rare ? new Weight(changed, weight.frequent()) : new Weight(weight.rare(), changed));
            changes.add(new Stacking(weights, maximum));
        }
        return changes;
    }
}
