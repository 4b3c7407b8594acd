package org.plant4j.review;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What the bearer of a token may do. */
public enum Role {
    /** Code notes, submit and read reviews. */
    @JsonProperty("coder")
    CODER,

    /** All of that, and export reviews. */
    @JsonProperty("admin")
    ADMIN
}
