package org.plant4j.cli.option;

import org.plant4j.UserError;

/** Checks the values of numeric options. */
public final class OptionCheck {

    private OptionCheck() {}

    public static void atLeast(int minimum, String option, int value) {
        if (value < minimum) {
            throw new UserError(
                    option + " must be at least " + minimum, option + " " + value, "use " + minimum + " or more");
        }
    }

    public static void between(int minimum, int maximum, String option, int value) {
        if (value < minimum || value > maximum) {
            throw new UserError(
                    option + " is out of range",
                    option + " " + value,
                    "use a number from " + minimum + " to " + maximum);
        }
    }
}
