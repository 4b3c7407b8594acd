package org.plant4j.model.matching;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A label that a document may have.
 *
 * @param match of its description, if there is one
 * @param mention what was marked as its evidence in training documents, if the document has it
 * @param score of ridge regression
 */
record Candidate(int label, Optional<DescriptionMatch> match, Optional<MentionMatch> mention, double score) {

    /** Features of candidates of a model without and with mentions. */
    static final int FEATURES = 19;

    static final int FEATURES_WITH_MENTIONS = 31;

    private static final int FARTHEST = 200; // positions from here on count alike
    private static final double LEAST_SCORE = 1e-3; // lower ones count alike in a logarithm

    /** The labels that match, those of mentions, and the {@code count} labels with the highest positive scores, in ascending order. */
    static List<Candidate> of(List<DescriptionMatch> matches, List<MentionMatch> mentions, double[] scores, int count) {
        Map<Integer, Candidate> byLabel = new TreeMap<>();
        double least = least(scores, count);
        for (int label = 0; label < scores.length; label++) {
            if (scores[label] > 0 && scores[label] >= least) {
                byLabel.put(label, of(label, scores));
            }
        }
        matches.forEach(match -> byLabel.put(
                match.label(),
                new Candidate(match.label(), Optional.of(match), Optional.empty(), score(match.label(), scores))));
        mentions.forEach(mention -> byLabel.merge(
                mention.label(),
                new Candidate(mention.label(), Optional.empty(), Optional.of(mention), score(mention.label(), scores)),
                (there, here) -> new Candidate(there.label, there.match, here.mention, there.score)));
        return List.copyOf(byLabel.values());
    }

    /** A label without matches. */
    static Candidate of(int label, double[] scores) {
        return new Candidate(label, Optional.empty(), Optional.empty(), score(label, scores));
    }

    private static double score(int label, double[] scores) {
        return label < scores.length ? scores[label] : 0;
    }

    /** The {@code count}-highest score. */
    private static double least(double[] scores, int count) {
        if (scores.length <= count) {
            return 0;
        }
        double[] sorted = scores.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length - count];
    }

    /**
     * The features of the pair of document and label; {@code frequency} counts the training documents with the label, and {@code
     * size} is one of the two numbers of features.
     */
    float[] features(int documentLength, int frequency, int size) {
        double bounded = Math.min(Math.max(score, 0), 1);
        float[] features = new float[size];
        features[0] = (float) bounded;
        features[1] = (float) Math.sqrt(bounded);
        features[2] = (float) Math.log(bounded + LEAST_SCORE);
        features[3] = log(frequency);
        features[4] = flag(frequency == 0);
        match.ifPresent(found -> add(features, found, documentLength));
        mention.ifPresent(found -> add(features, found));
        return features;
    }

    /** Sets the features of a match, which are 0 without one. */
    private static void add(float[] features, DescriptionMatch match, int documentLength) {
        DescriptionMatch.Places places = match.places();
        features[5] = 1;
        features[6] = (float) match.share();
        features[7] = (float) match.found();
        features[8] = (float) match.missing();
        features[9] = flag(match.complete());
        features[10] = flag(match.length() == 1);
        features[11] = log(match.length());
        features[12] = log(places.occurrences());
        features[13] = log(places.first());
        features[14] = log(places.last());
        features[15] = flag(places.phrases() > 0);
        features[16] = log(places.phrases());
        features[17] = log(Math.min(places.firstPhrase(), FARTHEST));
        features[18] = log(documentLength);
    }

    /** Sets the features of mentions, which are 0 without one. */
    private static void add(float[] features, MentionMatch mention) {
        features[19] = 1;
        features[20] = (float) mention.probability();
        features[21] = (float) Math.log(mention.probability() / LEAST_SCORE + 1);
        features[22] = (float) mention.anyProbability();
        features[23] = (float) mention.widestProbability();
        features[24] = (float) mention.widestShare();
        features[25] = log(mention.mentions());
        features[26] = log(mention.best().marked());
        features[27] = log(mention.best().documents());
        features[28] = log(mention.best().length());
        features[29] = log(mention.best().occurrences());
        features[30] = log(Math.min(mention.best().first(), FARTHEST));
    }

    private static float log(int count) {
        return (float) Math.log1p(count);
    }

    private static float flag(boolean value) {
        return value ? 1 : 0;
    }
}
