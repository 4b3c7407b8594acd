package org.plant4j.model.matching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A label that a document may have.
 *
 * @param match of its description, if there is one
 * @param score of ridge regression
 */
record Candidate(int label, Optional<DescriptionMatch> match, double score) {

    private static final int FARTHEST = 200; // positions from here on count alike
    private static final double LEAST_SCORE = 1e-3; // lower ones count alike in a logarithm

    /** The labels that match and the {@code count} labels with the highest positive scores, in ascending order. */
    static List<Candidate> of(List<DescriptionMatch> matches, double[] scores, int count) {
        Map<Integer, Optional<DescriptionMatch>> byLabel = new TreeMap<>();
        double least = least(scores, count);
        for (int label = 0; label < scores.length; label++) {
            if (scores[label] > 0 && scores[label] >= least) {
                byLabel.put(label, Optional.empty());
            }
        }
        matches.forEach(match -> byLabel.put(match.label(), Optional.of(match)));
        List<Candidate> candidates = new ArrayList<>(byLabel.size());
        byLabel.forEach((label, match) ->
                candidates.add(new Candidate(label, match, label < scores.length ? scores[label] : 0)));
        return candidates;
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

    /** The features of the pair of document and label; {@code frequency} counts the training documents with the label. */
    float[] features(int documentLength, int frequency) {
        double bounded = Math.min(Math.max(score, 0), 1);
        float[] features = new float[19];
        features[0] = (float) bounded;
        features[1] = (float) Math.sqrt(bounded);
        features[2] = (float) Math.log(bounded + LEAST_SCORE);
        features[3] = log(frequency);
        features[4] = flag(frequency == 0);
        match.ifPresent(found -> add(features, found, documentLength));
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

    private static float log(int count) {
        return (float) Math.log1p(count);
    }

    private static float flag(boolean value) {
        return value ? 1 : 0;
    }
}
