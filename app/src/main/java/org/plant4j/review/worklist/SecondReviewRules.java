package org.plant4j.review.worklist;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.plant4j.UserError;
import org.plant4j.review.Review;
import org.plant4j.support.Sha256;

/**
 * Which encounters are selected for a second review: a share of all, and those that a rule names. The share depends only
 * on the id of the encounter, so nobody can choose whether their coding is reviewed.
 *
 * @param percent the share of encounters in percent
 * @param outOfDomain whether to select texts that do not resemble the training documents
 * @param overriddenEdits whether to select reviews that override a code edit which blocks
 * @param codes selects reviews that assign one of these codes, or a code below one of them
 */
public record SecondReviewRules(double percent, boolean outOfDomain, boolean overriddenEdits, Set<String> codes) {

    /** Selects nothing. */
    public static final SecondReviewRules NONE = new SecondReviewRules(0, false, false, Set.of());

    private static final String OUT_OF_DOMAIN = "out-of-domain";
    private static final String OVERRIDDEN_EDITS = "overridden-edits";
    private static final String CODE = "code:";

    /** 7 hexadecimal digits: about 2.7 million steps per percent. */
    private static final int DIGITS = 7;

    public SecondReviewRules {
        codes = Set.copyOf(codes);
        if (!(percent >= 0 && percent <= 100)) {
            throw new UserError(percent + " is not a percentage", "--second-review", "use a number from 0 to 100");
        }
    }

    /** Parses rules such as {@code 10}, {@code out-of-domain}, {@code overridden-edits} and {@code code:I21}. */
    public static SecondReviewRules parse(List<String> rules) {
        double percent = 0;
        boolean outOfDomain = false;
        boolean overriddenEdits = false;
        Set<String> codes = new TreeSet<>();
        for (String rule : rules) {
            if (rule.matches("[0-9]+(\\.[0-9]+)?%?")) {
                percent = Double.parseDouble(rule.replace("%", ""));
            } else if (rule.equals(OUT_OF_DOMAIN)) {
                outOfDomain = true;
            } else if (rule.equals(OVERRIDDEN_EDITS)) {
                overriddenEdits = true;
            } else if (rule.startsWith(CODE) && rule.length() > CODE.length()) {
                codes.add(rule.substring(CODE.length()));
            } else {
                throw new UserError(
                        "Unknown rule",
                        "--second-review " + rule,
                        "use a percentage such as 10, " + String.join(", ", names()));
            }
        }
        return new SecondReviewRules(percent, outOfDomain, overriddenEdits, codes);
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(List.of(OUT_OF_DOMAIN, OVERRIDDEN_EDITS));
        names.add("or " + CODE + "I21");
        return names;
    }

    boolean select(Review review, boolean overridden) {
        return inShare(review.documentId())
                || (outOfDomain && review.outOfDomain().isPresent())
                || (overriddenEdits && overridden)
                || review.assignedCodes().stream()
                        .anyMatch(code -> codes.stream().anyMatch(code::startsWith));
    }

    private boolean inShare(String encounter) {
        int hash = Integer.parseInt(Sha256.of(encounter).substring(0, DIGITS), 16);
        return hash < percent / 100 * (1 << (4 * DIGITS));
    }
}
