package org.plant4j.rank;

/**
 * Whole grades of relevance from a token's rank for its label, 1 being the best token: {@code highest} for the first,
 * one less each time the rank doubles, 1 for every listed token beyond. A token that is not listed has grade 0.
 *
 * <p>The gain 2^grade − 1 so falls about as 1 / rank, whatever the length of the list, and the first few tokens, which
 * nDCG@k looks at, are told apart. Mutual information itself would not do: it is far below 1 and its powers of two alike.
 */
public record RelevanceGrades(int highest) {

    /** Up to here 2^grade is exact in a float. */
    private static final int LIMIT = 24;

    public RelevanceGrades {
        if (highest < 1 || highest > LIMIT) {
            throw new IllegalArgumentException("highest: " + highest + " (expected: 1 to " + LIMIT + ")");
        }
    }

    public int atRank(int rank) {
        if (rank < 1) {
            throw new IllegalArgumentException("rank: " + rank + " (expected: >= 1)");
        }
        int doublings = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(rank);
        return Math.max(1, highest - doublings);
    }

    /** The grades of a list whose first {@code listed} tokens are a label's best in order, the others unlisted. */
    public int[] forList(int listed, int size) {
        if (listed > size) {
            throw new IllegalArgumentException("listed: " + listed + " (expected: <= " + size + ")");
        }
        int[] grades = new int[size];
        for (int i = 0; i < listed; i++) {
            grades[i] = atRank(i + 1);
        }
        return grades;
    }
}
