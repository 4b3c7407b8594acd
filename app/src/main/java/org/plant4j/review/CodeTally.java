package org.plant4j.review;

import java.util.Optional;

/** Counts what coders decided about suggested codes, and the codes that they assigned without a suggestion. */
public final class CodeTally {

    private int accepted;
    private int rejected;
    private int changed;
    private int undecided;
    private int added;

    /**
     * The counts of a band, a coder or a code.
     *
     * @param changed suggestions that the coder replaced with another code
     * @param undecided suggestions without a decision, which were not assigned
     * @param added codes that the coder assigned although they were not suggested, or instead of a suggestion
     * @param acceptance accepted suggestions of all, also of those without a decision
     */
    public record Counts(
            int accepted, int rejected, int changed, int undecided, int added, Optional<Double> acceptance) {}

    void addDecision(Review.Verdict verdict) {
        switch (verdict) {
            case ACCEPTED -> accepted++;
            case REJECTED -> rejected++;
            case CHANGED -> changed++;
            case ADDED -> added++;
        }
    }

    void addUndecided() {
        undecided++;
    }

    void addAssigned() {
        added++;
    }

    Counts counts() {
        int suggested = accepted + rejected + changed + undecided;
        return new Counts(
                accepted,
                rejected,
                changed,
                undecided,
                added,
                suggested == 0 ? Optional.empty() : Optional.of((double) accepted / suggested));
    }
}
