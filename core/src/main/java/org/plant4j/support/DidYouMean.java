package org.plant4j.support;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Suggests the known name that is closest to a mistyped one. */
public final class DidYouMean {

    private static final int MAX_LISTED = 24;

    private DidYouMean() {}

    /** The known name with the smallest edit distance, which must not exceed a third of its length; the first of ties. */
    public static Optional<String> closest(String typed, Collection<String> known) {
        Optional<String> best = Optional.empty();
        int smallest = Integer.MAX_VALUE;
        for (String name : known) {
            int distance = editDistance(typed.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
            if (distance < smallest && distance <= Math.max(1, name.length() / 3)) {
                smallest = distance;
                best = Optional.of(name);
            }
        }
        return best;
    }

    /** The remedy of an error message: a suggestion, or the list of known names. */
    public static String remedy(String typed, Collection<String> known) {
        return closest(typed, known)
                .map(name -> "did you mean '" + name + "'?")
                .orElseGet(() -> "use one of: " + listed(known));
    }

    private static String listed(Collection<String> known) {
        String names = known.stream().limit(MAX_LISTED).collect(Collectors.joining(", "));
        return known.size() <= MAX_LISTED ? names : names + " and " + (known.size() - MAX_LISTED) + " more";
    }

    private static int editDistance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
