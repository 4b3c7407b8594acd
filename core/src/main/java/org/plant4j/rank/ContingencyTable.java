package org.plant4j.rank;

/** Document counts of a token and a label: with both ({@code joint}), with the token, with the label, and in total. */
record ContingencyTable(long joint, long token, long label, long documents) {

    /** Whether token and label occur together more often than if they were independent. */
    boolean isPositivelyAssociated() {
        return joint * documents > token * label;
    }

    /** Mutual information I(T; L) in nats (paper, appendix A.2). */
    double mutualInformation() {
        long neither = documents - token - label + joint;
        double sum = term(joint, token, label)
                + term(token - joint, token, documents - label)
                + term(label - joint, documents - token, label)
                + term(neither, documents - token, documents - label);
        return Math.max(0, sum); // rounding can make tiny values negative
    }

    /** I(T; L) / H(T, L): 1 if token and label always occur together, 0 if they are independent. */
    double normalizedMutualInformation() {
        double information = mutualInformation();
        double joint = entropy(token) + entropy(label) - information;
        return information == 0 ? 0 : information / joint;
    }

    private double term(long cell, long row, long column) {
        return cell == 0
                ? 0
                : (double) cell / documents * Math.log((double) cell * documents / ((double) row * column));
    }

    private double entropy(long present) {
        return surprise(present) + surprise(documents - present);
    }

    private double surprise(long count) {
        return count == 0 ? 0 : (double) count / documents * Math.log((double) documents / count);
    }
}
