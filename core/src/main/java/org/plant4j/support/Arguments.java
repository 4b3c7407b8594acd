package org.plant4j.support;

/**
 * Argument checks with a uniform message, {@code name: value (expected: condition)}. Each returns the value, so that it
 * can be checked where it is assigned.
 */
public final class Arguments {

    private Arguments() {}

    public static int atLeast(int minimum, String name, int value) {
        if (value < minimum) {
            throw invalid(name, value, ">= " + minimum);
        }
        return value;
    }

    public static long atLeast(long minimum, String name, long value) {
        if (value < minimum) {
            throw invalid(name, value, ">= " + minimum);
        }
        return value;
    }

    public static double atLeast(double minimum, String name, double value) {
        check(value >= minimum, name, value, ">= " + format(minimum));
        return value;
    }

    /** Above 0 and finite. */
    public static double positive(String name, double value) {
        check(value > 0 && value < Double.POSITIVE_INFINITY, name, value, "> 0");
        return value;
    }

    /** Between both bounds, inclusive. */
    public static int between(int minimum, int maximum, String name, int value) {
        if (value < minimum || value > maximum) {
            throw invalid(name, value, minimum + " to " + maximum);
        }
        return value;
    }

    /** Between 0 and 1, inclusive. */
    public static double fraction(String name, double value) {
        check(value >= 0 && value <= 1, name, value, "0 to 1");
        return value;
    }

    /** Between 0, inclusive, and 1, exclusive: a dropout rate, a momentum. */
    public static double rate(String name, double value) {
        check(value >= 0 && value < 1, name, value, ">= 0 and < 1");
        return value;
    }

    /** Any other condition; {@code expected} states it. */
    public static void check(boolean condition, String name, Object value, String expected) {
        if (!condition) {
            throw invalid(name, value, expected);
        }
    }

    /** For checks that run so often that composing a message in advance would take time. */
    public static IllegalArgumentException invalid(String name, Object value, String expected) {
        return new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }

    private static String format(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
