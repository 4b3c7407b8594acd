package org.plant4j.corpus;

import java.util.Arrays;
import org.plant4j.UserError;

/** The fractions of a corpus that become train, dev and test; they sum to 1. */
public record SplitFractions(double train, double dev, double test) {

    public static final SplitFractions DEFAULT = parse("80/10/10");

    /** Parses shares such as {@code 80/10/10}; they need not sum to 100. */
    public static SplitFractions parse(String text) {
        double[] shares;
        try {
            shares = Arrays.stream(text.split("/", -1))
                    .map(String::strip)
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        } catch (NumberFormatException e) {
            throw invalid(text);
        }
        if (shares.length != 3 || shares[0] == 0 || !Arrays.stream(shares).allMatch(share -> share >= 0)) {
            throw invalid(text);
        }
        double sum = shares[0] + shares[1] + shares[2];
        if (Double.isInfinite(sum)) {
            throw invalid(text);
        }
        return new SplitFractions(shares[0] / sum, shares[1] / sum, shares[2] / sum);
    }

    private static UserError invalid(String text) {
        return new UserError(
                "Invalid value '" + text + "' for option fractions",
                "options.fractions",
                "give three shares for train, dev and test, such as 80/10/10");
    }
}
