package org.plant4j.model.matching;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * How the description of a label occurs in a document.
 *
 * @param found idf of the description's stems that the document has
 * @param missing idf of the others
 * @param length stems of the description
 * @param complete whether the document has all of them
 */
record DescriptionMatch(int label, double found, double missing, int length, boolean complete, Places places) {

    /**
     * Where the stems are.
     *
     * @param occurrences of the rarest stem found
     * @param first position of the first stem found
     * @param last position up to which all stems found have occurred
     * @param phrases how often the description occurs as a phrase
     * @param firstPhrase position of the first such occurrence, or 0
     */
    record Places(int occurrences, int first, int last, int phrases, int firstPhrase) {}

    /** {@code positions} are those of each stem in the document. */
    static DescriptionMatch of(
            int label, int[] description, int[] document, Map<Integer, int[]> positions, double found, double total) {
        int[][] hits = Arrays.stream(description)
                .mapToObj(positions::get)
                .filter(Objects::nonNull)
                .toArray(int[][]::new);
        boolean complete = hits.length == description.length;
        int[] phrases = complete
                ? Arrays.stream(hits[0])
                        .filter(start -> isPhrase(description, document, start))
                        .toArray()
                : new int[0];
        Places places = new Places(
                Arrays.stream(hits).mapToInt(at -> at.length).min().orElseThrow(),
                Arrays.stream(hits).mapToInt(at -> at[0]).min().orElseThrow(),
                Arrays.stream(hits).mapToInt(at -> at[0]).max().orElseThrow(),
                phrases.length,
                phrases.length == 0 ? 0 : phrases[0]);
        return new DescriptionMatch(label, found, total - found, description.length, complete, places);
    }

    private static boolean isPhrase(int[] description, int[] document, int start) {
        int end = start + description.length;
        return end <= document.length && Arrays.equals(document, start, end, description, 0, description.length);
    }

    /** The share of the description's idf that is found. */
    double share() {
        return found / (found + missing);
    }
}
