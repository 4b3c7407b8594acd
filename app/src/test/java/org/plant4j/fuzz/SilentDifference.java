package org.plant4j.fuzz;

import java.io.Serial;
import java.util.Objects;

/** A result that differs from the correct one, although no error was reported. */
final class SilentDifference extends AssertionError {

    @Serial
    private static final long serialVersionUID = 1L;

    SilentDifference(String message) {
        super(message);
    }

    /** Throws unless both are equal; shows where their texts begin to differ. */
    static void check(Object expected, Object found) {
        if (!Objects.equals(expected, found)) {
            String left = String.valueOf(expected);
            String right = String.valueOf(found);
            int start = Math.max(0, firstDifference(left, right) - 40);
            throw new SilentDifference(
                    "expected …" + FuzzInput.printable(left.substring(Math.min(start, left.length()))) + " but found …"
                            + FuzzInput.printable(right.substring(Math.min(start, right.length()))));
        }
    }

    private static int firstDifference(String left, String right) {
        int length = Math.min(left.length(), right.length());
        for (int i = 0; i < length; i++) {
            if (left.charAt(i) != right.charAt(i)) {
                return i;
            }
        }
        return length;
    }
}
