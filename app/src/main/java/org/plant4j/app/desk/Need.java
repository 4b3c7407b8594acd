package org.plant4j.app.desk;

/** What a route asks of whoever calls it. */
enum Need {
    /** Nothing: health, and pages that hold no data. */
    NOTHING,

    /** Any token. */
    CODER,

    /** An administrator's token. */
    ADMIN
}
