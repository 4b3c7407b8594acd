package org.plant4j.app.desk;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Refuses before the body is read where there is no room, and late: a client that comes again at once would else take
 * from the coding what time it has. Who waits holds a connection, of which there are only so many, but no thread.
 */
record LateRefusal(Runnable requireRoom, Handler handler) implements Handler {

    private static final int SHORT_BODY = 1 << 16;
    private static final int REFUSAL_SECONDS = 1;

    @Override
    public void handle(Context request) throws Exception {
        try {
            if (isShort(request)) {
                requireRoom.run();
            }
            handler.handle(request);
        } catch (Problem problem) {
            if (problem.status() != Problem.TOO_MANY) {
                throw problem;
            }
            request.future(() -> new CompletableFuture<Problem>()
                    .completeOnTimeout(problem, REFUSAL_SECONDS, TimeUnit.SECONDS)
                    .thenAccept(late -> Answer.problem(request, late)));
        }
    }

    /** Whether the body has arrived as good as whole: a client cut off while it sends does not see the answer. */
    private static boolean isShort(Context request) {
        long length = request.req().getContentLengthLong();
        return length >= 0 && length <= SHORT_BODY;
    }
}
