package org.plant4j.server.http;

/** What a route asks of whoever calls it. */
public enum RequiredRole {
    /** Nothing: health, and pages that hold no data. */
    NONE,

    /** Any token. */
    CODER,

    /** An administrator's token. */
    ADMIN
}
