package org.plant4j.review.access;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The permissions of an access token. */
public enum Role {
    /** May code documents, and submit and read reviews. */
    @JsonProperty("coder")
    CODER,

    /** May also do second reviews. */
    @JsonProperty("reviewer")
    REVIEWER,

    /** May also export reviews. */
    @JsonProperty("admin")
    ADMIN
}
