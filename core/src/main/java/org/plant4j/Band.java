package org.plant4j;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** How a label is presented to the coder: suggested, shown for review, or hidden. */
public enum Band {
    /** Probable enough to be suggested. */
    @JsonProperty("suggest")
    SUGGEST,
    /** Shown to the coder, who decides. */
    @JsonProperty("review")
    REVIEW,
    /** Too improbable to be shown. */
    @JsonProperty("hidden")
    HIDDEN;

    /**
     * The name used in files and the REST API.
     *
     * @return the name
     */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
