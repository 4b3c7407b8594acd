package org.plant4j.eval;

import java.util.Locale;

/** What becomes of a code: offered as it is, shown for a second look, or kept out of sight. */
public enum Band {
    SUGGEST,
    REVIEW,
    HIDDEN;

    /** As the run's files and the programming interface write it. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
