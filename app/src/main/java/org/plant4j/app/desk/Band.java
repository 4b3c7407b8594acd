package org.plant4j.app.desk;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a probability asks of a coder. */
public enum Band {
    /** Likely right: offered as it is. */
    @JsonProperty("suggest")
    SUGGEST,

    /** Uncertain: offered for a look. */
    @JsonProperty("review")
    REVIEW,

    /** Unlikely: shown only on demand. */
    @JsonProperty("hidden")
    HIDDEN
}
