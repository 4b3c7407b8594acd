package org.plant4j.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.component.AbstractLifeCycle;

/** Closes connections whose request line and headers take too long; Jetty's idle timeout restarts with every byte. */
final class HeadTimeout extends AbstractLifeCycle implements Connection.Listener {

    /** The head that a connection was reading when it was last checked: the number of its request, and since when. */
    private record Head(long request, long since) {}

    private static final Head NONE = new Head(-1, 0);

    private final ServerConnector connector;
    private final long timeoutNanoseconds;
    private final Map<HttpConnection, Head> heads = new ConcurrentHashMap<>();

    HeadTimeout(ServerConnector connector, int seconds) {
        this.connector = connector;
        this.timeoutNanoseconds = seconds * 1_000_000_000L;
    }

    @Override
    protected void doStart() {
        scheduleCheck();
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof HttpConnection http) {
            heads.put(http, NONE);
        }
    }

    @Override
    public void onClosed(Connection connection) {
        if (connection instanceof HttpConnection http) {
            heads.remove(http);
        }
    }

    /** Every second as long as the server runs: starting and stopping the check with connections would be a race. */
    private void scheduleCheck() {
        connector.getScheduler().schedule(this::check, 1, TimeUnit.SECONDS);
    }

    private void check() {
        long now = System.nanoTime();
        heads.replaceAll((connection, head) -> check(connection, head, now));
        if (!isStopping() && !isStopped()) {
            scheduleCheck();
        }
    }

    private Head check(HttpConnection connection, Head before, long now) {
        if (!isReadingHead(connection.getParser().getState())) {
            return NONE;
        }
        long request = connection.getMessagesIn();
        if (before.request() != request) {
            return new Head(request, now);
        }
        if (now - before.since() > timeoutNanoseconds) {
            connection.getEndPoint().close();
        }
        return before;
    }

    private static boolean isReadingHead(HttpParser.State state) {
        return state.compareTo(HttpParser.State.START) > 0 && state.compareTo(HttpParser.State.CONTENT) < 0;
    }
}
