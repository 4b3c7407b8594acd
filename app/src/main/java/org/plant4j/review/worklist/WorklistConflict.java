package org.plant4j.review.worklist;

import java.io.Serial;

/** An operation that does not fit the state of an encounter, for example because somebody else works on it. */
public final class WorklistConflict extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String what;
    private final String where;
    private final String remedy;

    WorklistConflict(String what, String where, String remedy) {
        super(what, null, false, false); // a response, not a failure: no stack trace
        this.what = what;
        this.where = where;
        this.remedy = remedy;
    }

    public String what() {
        return what;
    }

    public String where() {
        return where;
    }

    public String remedy() {
        return remedy;
    }
}
