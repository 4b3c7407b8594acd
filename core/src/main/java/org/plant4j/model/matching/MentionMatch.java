package org.plant4j.model.matching;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How the mentions of a label occur in a document. The best mention is the one with the highest probability.
 *
 * @param probability of the label, given the best mention: documents in which it is evidence of the label, of all that contain it
 * @param anyProbability that at least one mention is evidence, if they were independent
 * @param widestProbability the highest probability of the mentions that are not contained in a longer one
 * @param mentions distinct mentions
 * @param best mention
 */
record MentionMatch(
        int label, double probability, double anyProbability, double widestProbability, int mentions, Best best) {

    /**
     * The best mention.
     *
     * @param marked training documents in which it is evidence of the label
     * @param documents training documents that contain it
     * @param length in tokens
     * @param occurrences in the document
     * @param first position of the first occurrence
     * @param widest occurrences that are not contained in a longer mention
     */
    record Best(int marked, int documents, int length, int occurrences, int first, int widest) {}

    private static final double UNSEEN_DOCUMENTS = 0.5; // added to the documents, so that one document is not proof
    private static final double MAX_PROBABILITY = 0.99;

    static double probability(int marked, int documents) {
        return marked / (documents + UNSEEN_DOCUMENTS);
    }

    /**
     * The labels of mentions that occur in a document, ascending. {@code own} has the labels that the document itself marks a
     * mention for, if it is a training document that must not count; it is then one of those that contain the mention.
     */
    static List<MentionMatch> of(
            MentionIndex index, List<MentionIndex.Occurrence> occurrences, Map<Integer, Set<Integer>> own) {
        Map<Integer, int[]> places = places(occurrences); // by mention
        Map<Integer, MentionMatch> matches = new TreeMap<>();
        places.forEach((id, place) -> {
            MentionIndex.Mention mention = index.mentions().get(id);
            Set<Integer> ownLabels = own.getOrDefault(id, Set.of());
            int documents = mention.documents() - (own.containsKey(id) ? 1 : 0);
            for (int i = 0; i < mention.labels().length; i++) {
                int label = mention.labels()[i];
                int marked = mention.counts()[i] - (ownLabels.contains(label) ? 1 : 0);
                if (marked > 0) {
                    Best best = new Best(marked, documents, mention.stems().length, place[0], place[1], place[2]);
                    matches.merge(label, of(label, best), MentionMatch::and);
                }
            }
        });
        return List.copyOf(matches.values());
    }

    private static MentionMatch of(int label, Best best) {
        double probability = probability(best.marked, best.documents);
        return new MentionMatch(
                label, probability, Math.min(probability, MAX_PROBABILITY), best.widest > 0 ? probability : 0, 1, best);
    }

    private MentionMatch and(MentionMatch other) {
        return new MentionMatch(
                label,
                Math.max(probability, other.probability),
                1 - (1 - anyProbability) * (1 - other.anyProbability),
                Math.max(widestProbability, other.widestProbability),
                mentions + other.mentions,
                other.probability > probability ? other.best : best);
    }

    /** Number of occurrences, first position and number of widest occurrences of each mention, in the order of the text. */
    private static Map<Integer, int[]> places(List<MentionIndex.Occurrence> occurrences) {
        Map<Integer, int[]> places = new TreeMap<>();
        boolean[] widest = widest(occurrences);
        for (int i = 0; i < widest.length; i++) {
            MentionIndex.Occurrence occurrence = occurrences.get(i);
            int[] place = places.computeIfAbsent(occurrence.mention(), key -> new int[] {0, occurrence.start(), 0});
            place[0]++;
            place[2] += widest[i] ? 1 : 0;
        }
        return places;
    }

    /** Whether each occurrence is not contained in a longer one. Occurrences with the same start are ordered by their length. */
    private static boolean[] widest(List<MentionIndex.Occurrence> occurrences) {
        boolean[] widest = new boolean[occurrences.size()];
        int reach = 0; // end of the occurrences that start earlier
        for (int i = 0; i < widest.length; i++) {
            MentionIndex.Occurrence here = occurrences.get(i);
            boolean longest = i + 1 == widest.length || occurrences.get(i + 1).start() > here.start();
            widest[i] = longest && here.end() > reach;
            reach = longest ? Math.max(reach, here.end()) : reach;
        }
        return widest;
    }

    /** The share of the occurrences of the best mention that are not contained in a longer mention. */
    double widestShare() {
        return (double) best.widest / best.occurrences;
    }
}
