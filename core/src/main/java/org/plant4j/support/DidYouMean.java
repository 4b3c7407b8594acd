package org.plant4j.support;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Suggests the known name that is closest to a mistyped one. */
public final class DidYouMean {

    private static final int MAX_LISTED = 24;

    /** Longer names are not compared: the time grows with the product of both lengths. */
    private static final int MAX_LENGTH = 100;

    private DidYouMean() {}

    /** The known name with the smallest edit distance, which must not exceed a third of its length; the first of ties. */
    public static Optional<String> closest(String typed, Collection<String> known) {
        Optional<String> best = Optional.empty();
        int smallest = Integer.MAX_VALUE;
        for (String name : known) {
            int most = Math.max(1, name.length() / 3);
            if (name.length() > MAX_LENGTH || Math.abs(typed.length() - name.length()) > most) {
                continue;
            }
            int distance = editDistance(typed.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
            if (distance < smallest && distance <= most) {
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

    /** Insertions, deletions, substitutions and swaps of neighbours that turn one string into the other. */
    private static int editDistance(String a, String b) {
        int[][] distance = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    distance[i][j] = i + j;
                    continue;
                }
                int substituted = distance[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                int smallest = Math.min(substituted, 1 + Math.min(distance[i - 1][j], distance[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    smallest = Math.min(smallest, distance[i - 2][j - 2] + 1);
                }
                distance[i][j] = smallest;
            }
        }
        return distance[a.length()][b.length()];
    }
}
