package org.plant4j.distributed;

import java.io.Serial;

/**
 * Another process of the group failed or cannot be reached, so this one cannot continue. Nothing is lost: training resumes
 * from its last checkpoint when all processes start again.
 */
public final class PeerFailure extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    PeerFailure(String message) {
        super(message);
    }

    PeerFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
