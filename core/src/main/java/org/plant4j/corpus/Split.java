package org.plant4j.corpus;

import java.util.Locale;

/** A split of a corpus: models train on train, are selected on dev and are evaluated once on test. */
public enum Split {
    TRAIN,
    DEV,
    TEST;

    /** The name in configs and reports: {@code train}, {@code dev} or {@code test}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
