package org.plant4j.fhir;

import java.io.Serial;

/** A request with more content than is processed at once. It is refused as a whole, also a batch. */
public final class RequestTooLarge extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String what;

    RequestTooLarge(String what) {
        super(what, null, false, false); // a response, not a failure: no stack trace
        this.what = what;
    }

    public String what() {
        return what;
    }
}
