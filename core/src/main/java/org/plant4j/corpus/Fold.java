package org.plant4j.corpus;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.UserError;

/** One of several folds of a cross-validation; {@code number} counts from 1. */
public record Fold(int number, int count) {

    private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,3})/([1-9]\\d{0,3})");

    /** Parses a fold such as {@code 2/5}. */
    public static Fold parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (parts.matches()) {
            Fold fold = new Fold(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
            if (fold.count >= 2 && fold.number <= fold.count) {
                return fold;
            }
        }
        throw new UserError("Invalid value '" + text + "' for option fold", "options.fold", "give a fold such as 2/5");
    }

    @Override
    public String toString() {
        return number + "/" + count;
    }
}
