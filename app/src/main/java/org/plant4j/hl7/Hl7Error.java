package org.plant4j.hl7;

import java.io.Serial;

/** Why a message is not accepted: the acknowledgment code (AE or AR), an error code of table 0357, and a reason. */
final class Hl7Error extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String acknowledgment;
    private final int code;
    private final String reason;

    private Hl7Error(String acknowledgment, int code, String reason) {
        super(reason, null, false, false); // an answer, not a failure: no stack trace
        this.acknowledgment = acknowledgment;
        this.code = code;
        this.reason = reason;
    }

    /** The message cannot be read or is of another kind: it would fail again. */
    static Hl7Error reject(int code, String reason) {
        return new Hl7Error("AR", code, reason);
    }

    /** The message is well-formed, but its content cannot be processed. */
    static Hl7Error error(int code, String reason) {
        return new Hl7Error("AE", code, reason);
    }

    String acknowledgment() {
        return acknowledgment;
    }

    int code() {
        return code;
    }

    String reason() {
        return reason;
    }
}
