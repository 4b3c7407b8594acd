package org.plant4j.model.plant;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.plant4j.model.Shortlist;
import org.plant4j.rank.Relevance;

/**
 * The labels with the highest sum of mutual information over the distinct tokens of a document. Frequent labels have a higher
 * mutual information with their tokens than rare ones, so the sum accounts for the frequency too. If the tokens are relevant
 * for too few labels, labels with the most relevant tokens of all are added.
 */
final class PlantedShortlist implements Shortlist {

    private final int labels;
    private final int[] starts; // by token, into the pairs below
    private final int[] pairLabels; // sorted by token, then label
    private final float[] gains;
    private final int[] byHighestGain; // all labels

    PlantedShortlist(Relevance relevance, int vocabularySize) {
        labels = relevance.labels();
        starts = relevance.tokenStarts(vocabularySize);
        pairLabels = new int[starts[vocabularySize]];
        gains = new float[pairLabels.length];
        int[] ends = starts.clone();
        for (int label = 0; label < labels; label++) {
            int[] tokens = relevance.tokens(label);
            float[] tokenGains = relevance.gains(label);
            for (int i = 0; i < tokens.length; i++) {
                int at = ends[tokens[i]]++;
                pairLabels[at] = label;
                gains[at] = tokenGains[i];
            }
        }
        float[] highest = new float[labels];
        for (int label = 0; label < labels; label++) {
            highest[label] = relevance.size(label) == 0 ? 0 : relevance.gains(label)[0];
        }
        byHighestGain = descending(IntStream.range(0, labels), highest);
    }

    @Override
    public int[] labels(int[] document, int count) {
        float[] sums = new float[labels];
        int[] found = new int[labels];
        int size = 0;
        for (int token : Arrays.stream(document).sorted().distinct().toArray()) {
            for (int pair = starts[token]; pair < starts[token + 1]; pair++) {
                int label = pairLabels[pair];
                if (sums[label] == 0 && gains[pair] > 0) {
                    found[size++] = label;
                }
                sums[label] += gains[pair];
            }
        }
        for (int i = 0; size < Math.min(count, labels); i++) {
            if (sums[byHighestGain[i]] == 0) {
                found[size++] = byHighestGain[i];
            }
        }
        int[] best = size <= count ? Arrays.copyOf(found, size) : descending(Arrays.stream(found, 0, size), sums);
        return Arrays.stream(best).limit(count).sorted().toArray();
    }

    /** Labels by descending value; of equal values the label with the lower id first. */
    private static int[] descending(IntStream chosen, float[] values) {
        // The bits of floats >= 0 sort like the floats.
        return chosen.mapToLong(label -> (long) ~Float.floatToIntBits(values[label]) << 32 | label)
                .sorted()
                .mapToInt(key -> (int) key)
                .toArray();
    }
}
