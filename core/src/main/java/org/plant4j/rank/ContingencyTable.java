package org.plant4j.rank;

/** How often a token and a label meet: documents with both, with the token, with the label, and all of them. */
public record ContingencyTable(long joint, long token, long label, long documents) {

    /** Whether the two meet more often than chance would have it. */
    boolean isPositivelyAssociated() {
        return joint * documents > token * label;
    }

    /** I(T; L) in nats: what knowing of the token tells of the label (paper, appendix A.2). */
    double mutualInformation() {
        long neither = documents - token - label + joint;
        double sum = term(joint, token, label)
                + term(token - joint, token, documents - label)
                + term(label - joint, documents - token, label)
                + term(neither, documents - token, documents - label);
        return Math.max(0, sum); // rounding may take the faintest below zero
    }

    /** I(T; L) / H(T, L): 1 where token and label always come together, 0 where neither tells of the other. */
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
