package org.plant4j.server;

import io.javalin.http.Context;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;

/**
 * Tells whether the client of a request has gone: it hung up, or it already has its response, such as a timeout. Keeps the
 * connection and not the request, which Jetty reuses after the response.
 */
final class WaitingClient implements BooleanSupplier {

    private final EndPoint endPoint;
    private volatile boolean answered;

    WaitingClient(Context request) {
        endPoint = ServletContextRequest.getServletContextRequest(request.req())
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint();
    }

    /** To be called when the response has been sent: from then on, Jetty reads the next request from the connection. */
    void setAnswered() {
        answered = true;
    }

    @Override
    public boolean getAsBoolean() {
        return answered || (endPoint instanceof HttpEndPoint http && http.isClientGone());
    }
}
