package org.plant4j.server.coding;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.Responses;

/**
 * Refuses before the body is read where there is no room, and late: a client that comes again at once would else take
 * from the coding what time it has. Who waits holds a connection, of which there are only so many, but no thread.
 */
public record DelayedRejection(Runnable capacityCheck, Handler handler) implements Handler {

    private static final int SHORT_BODY_BYTES = 1 << 16;
    private static final int DELAY_SECONDS = 1;

    @Override
    public void handle(Context request) throws Exception {
        try {
            if (isShort(request)) {
                capacityCheck.run();
            }
            handler.handle(request);
        } catch (ApiException problem) {
            if (problem.status() != ApiException.TOO_MANY_REQUESTS) {
                throw problem;
            }
            request.future(() -> new CompletableFuture<ApiException>()
                    .completeOnTimeout(problem, DELAY_SECONDS, TimeUnit.SECONDS)
                    .thenAccept(late -> Responses.error(request, late)));
        }
    }

    /** Whether the body has arrived as good as whole: a client cut off while it sends does not see the answer. */
    private static boolean isShort(Context request) {
        long length = request.req().getContentLengthLong();
        return length >= 0 && length <= SHORT_BODY_BYTES;
    }
}
