package org.plant4j.cli.option;

import org.plant4j.Precision;
import org.plant4j.UserError;

/** Checks the values of options. */
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

    /** Weights cannot be stored in int8: they are quantized when they are used. */
    public static void storable(String option, Precision precision) {
        if (precision == Precision.INT8) {
            throw new UserError(
                    "Weights are stored in float32 or bfloat16", option + " int8", "use float32 or bfloat16");
        }
    }
}
