package org.plant4j.rank;

import org.plant4j.support.Arguments;

/**
 * Relevance grades from the rank of a token for its label: {@code highest} for rank 1, one less each time the rank
 * doubles, but at least 1 for a top token. Other tokens have grade 0.
 *
 * <p>The gain 2^grade − 1 then falls about as 1 / rank for lists of any length, and separates the first few tokens,
 * which nDCG@k depends on. Mutual information itself is not usable as a grade: it is far below 1, so all gains would be
 * nearly equal.
 */
record RelevanceGrades(int highest) {

    /** 2^grade is exact in a float up to this grade. */
    static final int LIMIT = 24;

    RelevanceGrades {
        Arguments.between(1, LIMIT, "highest", highest);
    }

    /** The grade of a top token; ranks start at 1. */
    int atRank(int rank) {
        Arguments.atLeast(1, "rank", rank);
        int doublings = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(rank);
        return Math.max(1, highest - doublings);
    }
}
