package org.plant4j;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The known name that a mistyped one most likely meant. */
public final class Nearest {

    private static final int MOST_NAMED = 24;

    private Nearest() {}

    /** The name with the fewest edits, where they are at most a third of its length; the first of several. */
    public static Optional<String> to(String typed, Collection<String> known) {
        Optional<String> best = Optional.empty();
        int fewest = Integer.MAX_VALUE;
        for (String name : known) {
            int edits = edits(typed.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
            if (edits < fewest && edits <= Math.max(1, name.length() / 3)) {
                fewest = edits;
                best = Optional.of(name);
            }
        }
        return best;
    }

    /** The remedy's opening words: which name was meant, or which there are. */
    public static String remedy(String typed, Collection<String> known) {
        return to(typed, known)
                .map(name -> "did you mean '" + name + "'?")
                .orElseGet(() -> "known are: " + some(known));
    }

    private static String some(Collection<String> known) {
        String names = known.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        return known.size() <= MOST_NAMED ? names : names + " and " + (known.size() - MOST_NAMED) + " more";
    }

    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
