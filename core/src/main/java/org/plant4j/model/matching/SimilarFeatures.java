package org.plant4j.model.matching;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Features of a label by what a document has of its mentions. The score of a sighting is the cube of its quality times the
 * probability of the label given the mention.
 */
final class SimilarFeatures {

    static final int SIZE = 24;

    private static final double MAX_SCORE = 0.99;
    private static final double CLOSE = 0.75; // quality of sightings that are counted

    /** A sighting of a mention of a label: {@code marked} documents mark it for the label, {@code share} of those that mark it. */
    private record Found(Sighting sighting, double score, int marked, double share) {

        static Found of(Sighting sighting, int marked) {
            double probability =
                    MentionMatch.probability(marked, sighting.mention().documents());
            return new Found(
                    sighting,
                    Math.pow(sighting.quality(), 3) * probability,
                    marked,
                    (double) marked / sighting.mention().marked());
        }

        /** Like the score, but with a mention that is seldom marked as good as others. */
        double similarity() {
            return sighting.quality() * (0.5 + 0.5 * share);
        }
    }

    private final MentionTagger.Tags tags;
    private final Map<Integer, Found> best = new TreeMap<>(); // by label, the highest score
    private final Map<Integer, Found> closest = new HashMap<>(); // the highest similarity
    private final Map<Integer, float[]> sums = new HashMap<>(); // by label: close ones, tagged share, any score

    SimilarFeatures(List<Sighting> sightings, MentionTagger.Tags tags) {
        this.tags = tags;
        for (Sighting sighting : sightings) {
            int[] labels = sighting.mention().labels();
            for (int i = 0; i < labels.length; i++) {
                int marked = sighting.mention().counts()[i];
                if (marked > 0) {
                    add(labels[i], Found.of(sighting, marked));
                }
            }
        }
    }

    private void add(int label, Found found) {
        best.merge(label, found, (first, second) -> second.score > first.score ? second : first);
        closest.merge(label, found, (first, second) -> second.similarity() > first.similarity() ? second : first);
        float[] sum = sums.computeIfAbsent(label, key -> new float[3]);
        sum[0] += found.sighting.quality() > CLOSE ? 1 : 0;
        sum[1] = Math.max(sum[1], (float) (found.sighting.quality() * found.share) * inside(found.sighting));
        sum[2] = 1 - (1 - sum[2]) * (float) (1 - Math.min(MAX_SCORE, found.score));
    }

    private float inside(Sighting sighting) {
        return MentionTagger.Tags.mean(tags.inside(), sighting.start(), sighting.end());
    }

    Set<Integer> labels() {
        return best.keySet();
    }

    /** The highest score of a label, 0 without a sighting. */
    double score(int label) {
        return Optional.ofNullable(best.get(label)).map(Found::score).orElse(0.0);
    }

    /** The quality of the sighting with the highest score. */
    double quality(int label) {
        return Optional.ofNullable(best.get(label))
                .map(found -> found.sighting.quality())
                .orElse(0.0);
    }

    /** Writes the features of a label, which are 0 without a sighting. */
    void write(int label, float[] features, int from) {
        Found found = best.get(label);
        Found close = closest.get(label);
        float[] sum = sums.get(label);
        if (found == null || close == null || sum == null) {
            return;
        }
        Sighting sighting = found.sighting;
        float[] inside = tags.inside();
        features[from] = (float) found.score;
        features[from + 1] = (float) sighting.quality();
        features[from + 2] = found.marked;
        features[from + 3] = sighting.mention().documents();
        features[from + 4] = (float) found.share;
        features[from + 5] = sighting.mention().stems().length;
        features[from + 6] = sighting.length();
        features[from + 7] = (float) sighting.missing();
        features[from + 8] = (float) sighting.weight();
        features[from + 9] = inside(sighting);
        features[from + 10] = (float) close.sighting.quality();
        features[from + 11] = (float) close.share;
        features[from + 12] = (float) close.sighting.weight();
        features[from + 13] = inside(close.sighting);
        features[from + 14] = sum[0];
        features[from + 15] = sum[1];
        features[from + 16] = tags.first()[sighting.start()];
        features[from + 17] = tags.last()[sighting.end() - 1];
        features[from + 18] = sum[2];
        features[from + 19] = sighting.start() > 0 ? inside[sighting.start() - 1] : 0;
        features[from + 20] = sighting.end() < inside.length ? inside[sighting.end()] : 0;
        features[from + 21] = (float) sighting.start() / inside.length;
        features[from + 22] = close.marked;
        features[from + 23] = (float) close.sighting.missing();
    }
}
