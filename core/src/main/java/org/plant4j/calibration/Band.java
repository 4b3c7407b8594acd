package org.plant4j.calibration;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** What becomes of a code: offered as it is, shown for a second look, or kept out of sight. */
public enum Band {
    @JsonProperty("suggest")
    SUGGEST,
    @JsonProperty("review")
    REVIEW,
    @JsonProperty("hidden")
    HIDDEN;

    /** As the run's files and the programming interface write it. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
