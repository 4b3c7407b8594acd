package org.plant4j.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.internal.HttpConnection;

/** Closes connections whose request line and headers take too long; Jetty's idle timeout restarts with every byte. */
final class HeadTimeout implements Connection.Listener {

    private static final long UNKNOWN = 0;

    private final ServerConnector connector;
    private final long timeoutNanoseconds;

    /** When the head of the current request began, or {@link #UNKNOWN} between heads. */
    private final Map<HttpConnection, Long> heads = new ConcurrentHashMap<>();

    HeadTimeout(ServerConnector connector, int seconds) {
        this.connector = connector;
        this.timeoutNanoseconds = seconds * 1_000_000_000L;
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof HttpConnection http) {
            boolean first = heads.isEmpty();
            heads.put(http, UNKNOWN);
            if (first) {
                scheduleCheck();
            }
        }
    }

    @Override
    public void onClosed(Connection connection) {
        if (connection instanceof HttpConnection http) {
            heads.remove(http);
        }
    }

    private void scheduleCheck() {
        connector.getScheduler().schedule(this::check, 1, TimeUnit.SECONDS);
    }

    private void check() {
        long now = System.nanoTime();
        heads.replaceAll((connection, since) -> {
            if (!isReadingHead(connection.getParser().getState())) {
                return UNKNOWN;
            }
            if (since != UNKNOWN && now - since > timeoutNanoseconds) {
                connection.getEndPoint().close();
            }
            return since == UNKNOWN ? now : since;
        });
        if (!heads.isEmpty()) {
            scheduleCheck();
        }
    }

    private static boolean isReadingHead(HttpParser.State state) {
        return state.compareTo(HttpParser.State.START) > 0 && state.compareTo(HttpParser.State.CONTENT) < 0;
    }
}
