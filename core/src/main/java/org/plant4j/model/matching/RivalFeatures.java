package org.plant4j.model.matching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Features of a label by what else a document has where it has the label's name: mentions, and names of other labels. */
final class RivalFeatures {

    static final int SIZE = 7;

    private static final float LEAST_STRENGTH = 1e-6f; // that others are compared with

    private final Map<Integer, Sighting> best = new HashMap<>(); // name of each label with the most weight
    private final Map<Long, float[]> strengths = new HashMap<>(); // of names by place, ascending
    private final float[] strongest; // name, by token
    private final float[] exact; // probability of a mention, by token
    private final float[] similar; // score of a similar mention, by token

    RivalFeatures(List<Sighting> names, List<Sighting> mentions, List<Sighting> similarMentions, int length) {
        strongest = new float[length];
        exact = new float[length];
        similar = new float[length];
        for (Sighting name : names) {
            best.merge(
                    name.mention().labels()[0],
                    name,
                    (first, second) -> strength(second) > strength(first) ? second : first);
        }
        Map<Long, List<Float>> lists = new HashMap<>();
        for (Sighting name : best.values()) {
            raise(strongest, name, strength(name));
            lists.computeIfAbsent(place(name), key -> new ArrayList<>()).add(strength(name));
        }
        lists.forEach((place, found) -> {
            float[] sorted = new float[found.size()];
            for (int i = 0; i < sorted.length; i++) {
                sorted[i] = found.get(i);
            }
            Arrays.sort(sorted);
            strengths.put(place, sorted);
        });
        for (Sighting mention : mentions) {
            raise(exact, mention, highest(mention));
        }
        for (Sighting mention : similarMentions) {
            raise(similar, mention, (float) Math.pow(mention.quality(), 3) * highest(mention));
        }
    }

    private static float highest(Sighting sighting) {
        int most = Arrays.stream(sighting.mention().counts()).max().orElse(0);
        return (float) MentionMatch.probability(most, sighting.mention().documents());
    }

    private static float strength(Sighting name) {
        return (float) (name.quality() * (name.weight() - name.missing()));
    }

    private static long place(Sighting sighting) {
        return (long) sighting.start() << Integer.SIZE | sighting.end();
    }

    private static void raise(float[] values, Sighting at, float value) {
        for (int i = at.start(); i < at.end(); i++) {
            values[i] = Math.max(values[i], value);
        }
    }

    private static float highest(float[] values, Sighting at) {
        float highest = 0;
        for (int i = at.start(); i < at.end(); i++) {
            highest = Math.max(highest, values[i]);
        }
        return highest;
    }

    /** Writes the features of a label, which are 0 if the document does not have its name. */
    void write(int label, float[] features, int from) {
        Sighting name = best.get(label);
        if (name == null) {
            return;
        }
        float strength = strength(name);
        float[] others = strengths.getOrDefault(place(name), new float[0]);
        int at = Arrays.binarySearch(others, strength);
        while (at > 0 && others[at - 1] == strength) {
            at--;
        }
        int equal = 0;
        while (at + equal < others.length && others[at + equal] == strength) {
            equal++;
        }
        features[from] = strength;
        features[from + 1] = strength / Math.max(LEAST_STRENGTH, highest(strongest, name));
        features[from + 2] = highest(exact, name);
        features[from + 3] = highest(similar, name);
        features[from + 4] = MentionTagger.Tags.mean(exact, name.start(), name.end());
        features[from + 5] = equal;
        features[from + 6] = others.length - at - equal;
    }
}
