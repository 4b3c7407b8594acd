package org.plant4j.model.matching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.plant4j.model.boosting.BoostedTrees;
import org.plant4j.model.boosting.BoostedTreesTrainer;
import org.plant4j.model.linear.PairRegression;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Vocabulary;

/**
 * Scores candidates by the mean log-odds of the logistic regression and of boosted trees. The trees also know phrases that are similar to mentions or to names of labels, where the tagger expects mentions,
 * which mentions of other labels are in the same place, and how strongly labels with similar codes are mentioned.
 *
 * <p>Labels of similar mentions become candidates too. So do zero-shot labels whose code is composed of those of two mentions:
 * 8140/6 where 8140/3 and 8000/6 are mentioned.
 */
final class MentionRanker {

    private static final int RIDGE_FEATURES = 2;

    /** Features besides those of a model without a ranker. */
    static final int FURTHER_FEATURES =
            2 * SimilarFeatures.SIZE + OccurrenceFeatures.SIZE + FamilyFeatures.SIZE + RIDGE_FEATURES;

    private static final int FOLDS = 5; // of the tagger
    private static final double CANDIDATE_QUALITY = 0.7; // of a similar mention
    private static final double CANDIDATE_STRENGTH = 0.15; // of both parts of a composed code
    private static final long SEED = 1;

    private static final int DEPTH = 6;
    private static final double LEARNING_RATE = 0.05;
    private static final double PENALTY = 20;
    private static final double MIN_HESSIAN = 20;
    private static final double FEATURE_SHARE = 0.2;
    private static final double REGRESSION_SHARE = 0.3; // of the log-odds
    private static final double LEAST_ODDS = 1e-9; // of the regression

    /**
     * What a model without a ranker knows about a document.
     *
     * @param ridgeScores of the trained labels; empty without ridge regression
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Matches(int[] tokens, List<Candidate> candidates, double[] ridgeScores) {}

    /** What is looked for in documents: mentions, what is similar to them, and what is similar to the names of labels. */
    record Phrases(MentionIndex mentions, SimilarMentionIndex similar, SimilarMentionIndex names) {

        Phrases(MentionIndex mentions, SimilarMentionIndex similar, DescriptionIndex names) {
            this(mentions, similar, similar.ofNames(names.descriptionTokens()));
        }

        /** All sightings in a document. */
        Sightings in(int[] document) {
            return new Sightings(mentions.sightings(document), similar.sightings(document), names.sightings(document));
        }

        /** All sightings in a training document, as if it were new. */
        Sightings inOthers(Dataset documents, int document) {
            return new Sightings(
                    mentions.sightingsOfOthers(documents, document),
                    similar.sightingsOfOthers(documents, document),
                    names.sightings(documents.tokens(document)));
        }
    }

    private record Sightings(List<Sighting> exact, List<Sighting> similar, List<Sighting> names) {}

    /** A candidate and its features. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Row(int label, float[] features) {}

    /** Gives the features of a candidate in a model without a ranker. */
    interface BaseFeatures {

        float[] of(Candidate candidate, int documentLength);
    }

    /** Gives what a model knows about a training document as if it were new. */
    interface TrainingDocuments {

        Matches matches(int document);

        BaseFeatures features(int document);
    }

    private final Phrases phrases;
    private final MentionTagger tagger;
    private final CodeFamilies families;
    private final int trained; // labels with training documents; all others are zero-shot labels
    private final int labels;
    private final BoostedTrees trees;
    private final PairRegression regression; // on the features of a model without a ranker, which come first

    MentionRanker(
            Phrases phrases, MentionTagger tagger, LabelIndex labels, BoostedTrees trees, PairRegression regression) {
        this.phrases = phrases;
        this.tagger = tagger;
        this.families = new CodeFamilies(labels.codes().subList(0, labels.size()));
        this.trained = labels.trainedCount();
        this.labels = labels.size();
        this.trees = trees;
        this.regression = regression;
    }

    SimilarMentionIndex similar() {
        return phrases.similar;
    }

    MentionTagger tagger() {
        return tagger;
    }

    BoostedTrees trees() {
        return trees;
    }

    /**
     * Trains on some documents, given by index. Each is tagged by a tagger that is trained on the documents of other folds.
     *
     * @param trees number of trees
     */
    static MentionRanker train(
            int trees,
            Vocabulary vocabulary,
            LabelIndex labels,
            Dataset documents,
            int[] chosen,
            MentionIndex mentions,
            DescriptionIndex descriptions,
            PairRegression regression,
            TrainingDocuments training) {
        LooseStems stems = LooseStems.of(vocabulary);
        Phrases phrases = new Phrases(mentions, SimilarMentionIndex.of(stems, documents), descriptions);
        List<float[]> rows = new ArrayList<>();
        List<Boolean> outcomes = new ArrayList<>();
        for (int fold = 0; fold < FOLDS; fold++) {
            int in = fold;
            int[] others = IntStream.range(0, chosen.length)
                    .filter(i -> i % FOLDS != in)
                    .map(i -> chosen[i])
                    .toArray();
            MentionRanker ranker = new MentionRanker(
                    phrases, MentionTagger.train(stems, documents, others), labels, NO_TREES, regression);
            List<List<Row>> rowsOf = IntStream.range(0, chosen.length)
                    .parallel()
                    .filter(i -> i % FOLDS == in)
                    .mapToObj(i -> ranker.rowsOfOthers(documents, chosen[i], labels, training))
                    .toList();
            for (int i = 0; i < rowsOf.size(); i++) {
                int[] gold = documents.labels(chosen[i * FOLDS + fold]);
                for (Row row : rowsOf.get(i)) {
                    rows.add(row.features);
                    outcomes.add(Arrays.binarySearch(gold, row.label) >= 0);
                }
            }
        }
        boolean[] gold = new boolean[outcomes.size()];
        for (int i = 0; i < gold.length; i++) {
            gold[i] = outcomes.get(i);
        }
        return new MentionRanker(
                phrases,
                MentionTagger.train(stems, documents, chosen),
                labels,
                BoostedTreesTrainer.fit(
                        rows.toArray(float[][]::new),
                        gold,
                        new BoostedTreesTrainer.Settings(
                                trees, DEPTH, LEARNING_RATE, PENALTY, MIN_HESSIAN, FEATURE_SHARE),
                        new Random(SEED)),
                regression);
    }

    private static final BoostedTrees NO_TREES = new BoostedTrees(1, 0, new int[0], new float[0], new float[0]);

    /** Labels with too few training documents to be trained are left out: the dataset does not contain them as gold labels. */
    private List<Row> rowsOfOthers(Dataset documents, int document, LabelIndex index, TrainingDocuments training) {
        return rows(training.matches(document), phrases.inOthers(documents, document), training.features(document))
                .stream()
                .filter(row -> row.label < trained || index.frequency(row.label) == 0)
                .toList();
    }

    /** Sets the probabilities of the candidates of a document; those of other labels are not changed. */
    void score(Matches matches, BaseFeatures base, float[] probabilities) {
        rows(matches, phrases.in(matches.tokens), base)
                .forEach(row -> probabilities[row.label] = (float) probability(row.features));
    }

    /** Means the log-odds of trees and regression. */
    private double probability(float[] features) {
        double probability = Math.min(1 - LEAST_ODDS, Math.max(LEAST_ODDS, regression.probability(features)));
        double logit = REGRESSION_SHARE * Math.log(probability / (1 - probability))
                + (1 - REGRESSION_SHARE) * trees.logit(features);
        return 1 / (1 + Math.exp(-logit));
    }

    private List<Row> rows(Matches matches, Sightings sightings, BaseFeatures base) {
        MentionTagger.Tags tags = tagger.tag(matches.tokens);
        SimilarFeatures similarity = new SimilarFeatures(sightings.similar, tags);
        SimilarFeatures names = new SimilarFeatures(sightings.names, tags);
        OccurrenceFeatures occurrences = new OccurrenceFeatures(sightings.exact, tags);
        FamilyFeatures family = new FamilyFeatures(families, strengths(matches.candidates, similarity));
        return candidates(matches, List.of(similarity, names), family).stream()
                .map(candidate -> {
                    float[] first = base.of(candidate, matches.tokens.length);
                    float[] features = Arrays.copyOf(first, first.length + FURTHER_FEATURES);
                    int at = first.length;
                    similarity.write(candidate.label(), features, at);
                    names.write(candidate.label(), features, at += SimilarFeatures.SIZE);
                    occurrences.write(candidate.label(), features, at += SimilarFeatures.SIZE);
                    family.write(candidate.label(), features, at += OccurrenceFeatures.SIZE);
                    writeRidge(candidate.label(), matches.ridgeScores, features, at + FamilyFeatures.SIZE);
                    return new Row(candidate.label(), features);
                })
                .toList();
    }

    /** How strongly labels are mentioned: the highest probability of an exact or the highest score of a similar mention. */
    private static Map<Integer, Double> strengths(List<Candidate> candidates, SimilarFeatures similarity) {
        Map<Integer, Double> strengths = new TreeMap<>();
        for (Candidate candidate : candidates) {
            candidate.mention().ifPresent(found -> strengths.put(candidate.label(), found.probability()));
        }
        for (int label : similarity.labels()) {
            strengths.merge(label, similarity.score(label), Math::max);
        }
        return strengths;
    }

    /** The candidates in ascending order of their labels, with those of similar mentions and names and of composed codes. */
    private List<Candidate> candidates(Matches matches, List<SimilarFeatures> similar, FamilyFeatures family) {
        Map<Integer, Candidate> byLabel = new TreeMap<>();
        matches.candidates.forEach(candidate -> byLabel.put(candidate.label(), candidate));
        for (SimilarFeatures found : similar) {
            for (int label : found.labels()) {
                if (found.quality(label) >= CANDIDATE_QUALITY) {
                    byLabel.computeIfAbsent(label, key -> Candidate.of(key, matches.ridgeScores));
                }
            }
        }
        if (labels > trained) {
            for (int label = 0; label < labels; label++) {
                if (family.highest(CodeFamilies.STEM, label) > CANDIDATE_STRENGTH
                        && family.highest(CodeFamilies.REST, label) > CANDIDATE_STRENGTH) {
                    byLabel.computeIfAbsent(label, key -> Candidate.of(key, matches.ridgeScores));
                }
            }
        }
        return List.copyOf(byLabel.values());
    }

    /** The ridge score relative to the highest one, and the number of labels with a higher one. */
    private static void writeRidge(int label, double[] scores, float[] features, int from) {
        if (label < scores.length) {
            double highest = 0;
            int higher = 0;
            for (double score : scores) {
                highest = Math.max(highest, score);
                higher += score > scores[label] ? 1 : 0;
            }
            features[from] = (float) (scores[label] / (highest + 0.01));
            features[from + 1] = higher;
        }
    }

    /** How strongly each token of a document belongs to something similar to a mention of a label: the share times the quality. */
    float[] weights(int[] document, int label) {
        float[] weights = new float[document.length];
        for (Sighting sighting : phrases.similar.sightings(document)) {
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
