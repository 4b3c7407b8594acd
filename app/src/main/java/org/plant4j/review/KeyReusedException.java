package org.plant4j.review;

import java.io.Serial;

/** A reviewer has used an idempotency key before, for a different review. Nothing was stored. */
public final class KeyReusedException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    KeyReusedException() {
        super("the idempotency key belongs to a different review", null, false, false);
    }
}
