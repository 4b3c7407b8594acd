package org.plant4j.model.matching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.plant4j.model.boosting.BoostedTrees;
import org.plant4j.model.boosting.BoostedTreesTrainer;
import org.plant4j.model.linear.PairRegression;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;

/**
 * Scores candidates by the mean log-odds of the logistic regression and of boosted trees on all {@link RankerFeatures}. The
 * regression is not trained on candidates that only the ranker has, so it does not score them.
 */
final class MentionRanker {

    private static final int FOLDS = 5; // of tagger and lexicon
    private static final long SEED = 1;

    private static final int DEPTH = 6;
    private static final double LEARNING_RATE = 0.05;
    private static final double PENALTY = 20;
    private static final double MIN_HESSIAN = 20;
    private static final double FEATURE_SHARE = 0.2;
    private static final double REGRESSION_SHARE = 0.3; // of the log-odds
    private static final double LEAST_ODDS = 1e-9; // of the regression

    /** What the ranker is trained on: some of the documents, given by index. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record TrainingData(Dataset documents, int[] chosen, LabelIndex labels, LooseStems stems) {

        private IntStream inFold(int fold) {
            return IntStream.range(0, chosen.length)
                    .filter(i -> i % FOLDS == fold)
                    .map(i -> chosen[i]);
        }
    }

    /** The phrases that are looked for; those that are learned from documents are learned from some of them. */
    @FunctionalInterface
    interface LearnedPhrases {

        RankerFeatures.Phrases of(IntPredicate documents);
    }

    private final RankerFeatures features;
    private final BoostedTrees trees;
    private final PairRegression regression; // on the features of a model without a ranker, which come first

    MentionRanker(RankerFeatures features, BoostedTrees trees, PairRegression regression) {
        this.features = features;
        this.trees = trees;
        this.regression = regression;
    }

    RankerFeatures features() {
        return features;
    }

    BoostedTrees trees() {
        return trees;
    }

    /**
     * Trains a ranker. For the features of the documents of a fold, tagger and phrases are learned from the documents of the other
     * folds.
     *
     * @param trees number of trees
     */
    static MentionRanker train(
            int trees,
            TrainingData data,
            LearnedPhrases phrases,
            RankerFeatures.TrainingDocuments training,
            PairRegression regression) {
        List<float[]> rows = new ArrayList<>();
        List<Boolean> outcomes = new ArrayList<>();
        for (int fold = 0; fold < FOLDS; fold++) {
            Set<Integer> inFold = data.inFold(fold).boxed().collect(Collectors.toSet());
            int[] others = Arrays.stream(data.chosen)
                    .filter(document -> !inFold.contains(document))
                    .toArray();
            RankerFeatures features = new RankerFeatures(
                    phrases.of(document -> !inFold.contains(document)),
                    MentionTagger.train(data.stems, data.documents, others),
                    data.labels,
                    false);
            int[] chosen = data.inFold(fold).toArray();
            List<List<RankerFeatures.Row>> rowsOf = Arrays.stream(chosen)
                    .parallel()
                    .mapToObj(document -> features.rowsOfOthers(data.documents, document, data.labels, training))
                    .toList();
            for (int i = 0; i < chosen.length; i++) {
                int[] gold = data.documents.labels(chosen[i]);
                for (RankerFeatures.Row row : rowsOf.get(i)) {
                    rows.add(row.features());
                    outcomes.add(Arrays.binarySearch(gold, row.label()) >= 0);
                }
            }
        }
        boolean[] gold = new boolean[outcomes.size()];
        for (int i = 0; i < gold.length; i++) {
            gold[i] = outcomes.get(i);
        }
        return new MentionRanker(
                new RankerFeatures(
                        phrases.of(document -> true),
                        MentionTagger.train(data.stems, data.documents, data.chosen),
                        data.labels,
                        false),
                BoostedTreesTrainer.fit(
                        rows.toArray(float[][]::new),
                        gold,
                        new BoostedTreesTrainer.Settings(
                                trees, DEPTH, LEARNING_RATE, PENALTY, MIN_HESSIAN, FEATURE_SHARE),
                        new Random(SEED)),
                regression);
    }

    /** Sets the probabilities of the candidates of a document; those of other labels are not changed. */
    void score(RankerFeatures.Matches matches, RankerFeatures.BaseFeatures base, float[] probabilities) {
        features.rows(matches, base).forEach(row -> probabilities[row.label()] = (float) probability(row));
    }

    /** Means the log-odds of trees and regression, or takes those of the trees for a candidate that the regression does not know. */
    private double probability(RankerFeatures.Row row) {
        double logit = trees.logit(row.features());
        if (row.known()) {
            double probability = Math.min(1 - LEAST_ODDS, Math.max(LEAST_ODDS, regression.probability(row.features())));
            logit = REGRESSION_SHARE * Math.log(probability / (1 - probability)) + (1 - REGRESSION_SHARE) * logit;
        }
        return 1 / (1 + Math.exp(-logit));
    }

    /** How strongly each token of a document belongs to something similar to a mention of a label: the share times the quality. */
    float[] weights(int[] document, int label) {
        return weights(features.phrases().similar(), document, label);
    }

    /** How strongly each token of a document belongs to something similar to a name of a label. */
    float[] nameWeights(int[] document, int label) {
        return weights(features.phrases().names(), document, label);
    }

    private static float[] weights(SimilarMentionIndex phrases, int[] document, int label) {
        float[] weights = new float[document.length];
        for (Sighting sighting : phrases.sightings(document)) {
            int at = Arrays.binarySearch(sighting.mention().labels(), label);
            if (at >= 0) {
                double probability = MentionMatch.probability(
                        sighting.mention().counts()[at], sighting.mention().documents());
                float weight = (float) (Math.pow(sighting.quality(), 3) * probability);
                for (int i = sighting.start(); i < sighting.end(); i++) {
                    weights[i] = Math.max(weights[i], weight);
                }
            }
        }
        return weights;
    }
}
