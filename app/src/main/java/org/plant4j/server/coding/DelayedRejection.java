package org.plant4j.server.coding;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.Responses;

/**
 * Rejects requests with 429 before their body is read, after a delay: clients that retry at once would otherwise take
 * CPU time from coding. A delayed response holds one of the limited connections, but no thread.
 */
public final class DelayedRejection implements Handler {

    private static final int SHORT_BODY_BYTES = 1 << 16;
    private static final int DELAY_SECONDS = 1;

    private final Runnable capacityCheck;
    private final Handler handler;

    /** {@code capacityCheck} throws an {@link ApiException} if there is no capacity. */
    public DelayedRejection(Runnable capacityCheck, Handler handler) {
        this.capacityCheck = capacityCheck;
        this.handler = handler;
    }

    @Override
    public void handle(Context request) throws Exception {
        try {
            if (hasShortBody(request)) {
                capacityCheck.run();
            }
            handler.handle(request);
        } catch (ApiException rejection) {
            if (rejection.status() != ApiException.TOO_MANY_REQUESTS) {
                throw rejection;
            }
            request.future(() -> new CompletableFuture<ApiException>()
                    .completeOnTimeout(rejection, DELAY_SECONDS, TimeUnit.SECONDS)
                    .thenAccept(delayed -> Responses.error(request, delayed)));
        }
    }

    /** A long body is read first: a client whose connection is closed while it sends never sees the response. */
    private static boolean hasShortBody(Context request) {
        long length = request.req().getContentLengthLong();
        return length >= 0 && length <= SHORT_BODY_BYTES;
    }
}
