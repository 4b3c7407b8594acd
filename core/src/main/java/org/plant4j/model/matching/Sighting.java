package org.plant4j.model.matching;

/**
 * Where a document has a mention or something similar.
 *
 * @param mention with the counts of other documents
 * @param quality of the match: 1 if it is exact
 * @param weight sum of the inverse document frequencies of the mention's stems; 0 if it is exact
 * @param missing the part of the weight that is not found
 */
record Sighting(MentionIndex.Mention mention, int start, int end, double quality, double weight, double missing) {

    static Sighting exact(MentionIndex.Mention mention, int start, int end) {
        return new Sighting(mention, start, end, 1, 0, 0);
    }

    int length() {
        return end - start;
    }

    boolean overlaps(Sighting other) {
        return start < other.end && end > other.start;
    }

    /** Whether this is a part of a longer one. */
    boolean isInside(Sighting other) {
        return other.start <= start && other.end >= end && other.length() > length();
    }
}
