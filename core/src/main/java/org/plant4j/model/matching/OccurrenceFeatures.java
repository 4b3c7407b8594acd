package org.plant4j.model.matching;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Features of a label by the exact occurrences of its mentions: whether the tagger takes them for mentions, how often such
 * mentions are marked for the label rather than for others, and whether mentions of other labels are in the same place.
 */
final class OccurrenceFeatures {

    static final int SIZE = 18;

    private static final double MAX_SCORE = 0.95;
    private static final double NEIGHBOUR = 0.8; // how much a tagged neighbour counts against a boundary
    private static final double INNER = 0.3; // factor for a part of a longer mention

    /** An occurrence of a mention of a label. */
    private record Claim(int label, Sighting sighting, double score) {}

    private final List<Claim> claims = new ArrayList<>();
    private final Map<Integer, float[]> byLabel = new HashMap<>();

    OccurrenceFeatures(List<Sighting> sightings, MentionTagger.Tags tags) {
        for (int at = 0; at < sightings.size(); at++) {
            boolean inner = isInner(sightings, at);
            Sighting sighting = sightings.get(at);
            int[] labels = sighting.mention().labels();
            for (int i = 0; i < labels.length; i++) {
                if (sighting.mention().counts()[i] > 0) {
                    add(labels[i], sighting.mention().counts()[i], sighting, inner, tags);
                }
            }
        }
        Map<Integer, Claim> best = new HashMap<>();
        claims.forEach(claim ->
                best.merge(claim.label, claim, (first, second) -> second.score > first.score ? second : first));
        best.values().forEach(this::addOthers);
    }

    /** Whether an occurrence is part of a longer one; occurrences are ordered by their start and length. */
    private static boolean isInner(List<Sighting> sightings, int at) {
        Sighting sighting = sightings.get(at);
        for (int other = at + 1;
                other < sightings.size() && sightings.get(other).start() == sighting.start();
                other++) {
            if (sighting.isInside(sightings.get(other))) {
                return true;
            }
        }
        for (int other = at - 1;
                other >= 0 && sightings.get(other).start() > sighting.start() - MentionIndex.MAX_LENGTH;
                other--) {
            if (sighting.isInside(sightings.get(other))) {
                return true;
            }
        }
        return false;
    }

    private void add(int label, int marked, Sighting sighting, boolean inner, MentionTagger.Tags tags) {
        MentionIndex.Mention mention = sighting.mention();
        float share = (float) marked / mention.marked();
        float probability = (float) MentionMatch.probability(marked, mention.documents());
        float inside = MentionTagger.Tags.mean(tags.inside(), sighting.start(), sighting.end());
        float first = tags.first()[sighting.start()];
        float last = tags.last()[sighting.end() - 1];
        float bounded = share * (float) Math.sqrt(first * last);
        float before = sighting.start() > 0 ? tags.inside()[sighting.start() - 1] : 0;
        float after = sighting.end() < tags.inside().length ? tags.inside()[sighting.end()] : 0;
        float[] features = byLabel.computeIfAbsent(label, key -> new float[SIZE]);
        raise(features, 0, share * inside);
        raise(features, 1, bounded);
        raise(features, 2, probability * inside);
        raise(features, 3, inner ? 0 : bounded);
        raise(features, 4, inner ? 0 : share);
        raise(features, 5, share);
        raise(features, 6, inside);
        raise(features, 7, first);
        raise(features, 8, last);
        features[9] = 1 - (1 - features[9]) * (float) (1 - Math.min(MAX_SCORE, bounded));
        raise(features, 10, (float) (bounded * (1 - NEIGHBOUR * before) * (1 - NEIGHBOUR * after)));
        raise(features, 11, mention.stems().length);
        features[12] += inside;
        double score = probability * (inner ? INNER : 1);
        raise(features, 13, (float) score);
        claims.add(new Claim(label, sighting, score));
    }

    private static void raise(float[] features, int at, float value) {
        features[at] = Math.max(features[at], value);
    }

    /** The scores of other labels on the tokens of the best occurrence of a label. */
    private void addOthers(Claim best) {
        double highest = 0;
        double longer = 0;
        for (Claim claim : claims) {
            if (claim.label != best.label && claim.sighting.overlaps(best.sighting)) {
                highest = Math.max(highest, claim.score);
                if (claim.sighting.length() > best.sighting.length()) {
                    longer = Math.max(longer, claim.score);
                }
            }
        }
        float[] features = byLabel.get(best.label);
        if (features != null) {
            features[14] = (float) highest;
            features[15] = (float) (best.score - highest);
            features[16] = (float) longer;
            features[17] = (float) best.score;
        }
    }

    /** Writes the features of a label, which are 0 without an occurrence. */
    void write(int label, float[] features, int from) {
        float[] found = byLabel.get(label);
        if (found != null) {
            System.arraycopy(found, 0, features, from, SIZE);
        }
    }
}
