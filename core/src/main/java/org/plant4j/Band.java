package org.plant4j;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** How a label is presented to the coder: suggested, shown for review, or hidden. */
public enum Band {
    @JsonProperty("suggest")
    SUGGEST,
    @JsonProperty("review")
    REVIEW,
    @JsonProperty("hidden")
    HIDDEN;

    /** The name used in files and the REST API. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
