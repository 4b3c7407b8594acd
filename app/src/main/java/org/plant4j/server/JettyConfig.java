package org.plant4j.server;

import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import java.net.BindException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.plant4j.UserError;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.Responses;

/** Configuration of Javalin and the Jetty server below it. */
final class JettyConfig {

    private static final int MAX_CONNECTIONS = 2048;

    /** New connections that wait to be accepted. The system refuses more of a burst; Java would let 50 wait. */
    private static final int ACCEPT_QUEUE = 1024;

    private static final int MAX_HEADER_BYTES = 16 * 1024;
    private static final long CODING_TIMEOUT_MILLISECONDS = 120_000;
    private static final long STOP_TIMEOUT_MILLISECONDS = 60_000;

    private JettyConfig() {}

    static void configure(JavalinConfig config, ServerSettings settings) {
        config.startup.showJavalinBanner = false;
        config.startup.startupWatcherEnabled = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.http.prefer405over404 = true;
        config.http.asyncTimeout = CODING_TIMEOUT_MILLISECONDS;
        config.http.compressionStrategy = CompressionStrategy.GZIP;
        config.jetty.timeoutStatus = ApiException.UNAVAILABLE;
        config.jetty.modifyHttpConfiguration(JettyConfig::http);
        config.jetty.modifyServletContextHandler(
                context -> context.getServletHandler().setDecodeAmbiguousURIs(true));
        config.jetty.modifyServer(JettyConfig::server);
        config.jetty.addConnector((server, http) -> {
            ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http)) {
                @Override
                protected SocketChannelEndPoint newEndPoint(
                        SocketChannel channel, ManagedSelector selector, SelectionKey key) {
                    HttpEndPoint endPoint = new HttpEndPoint(channel, selector, key, getScheduler());
                    endPoint.setIdleTimeout(getIdleTimeout());
                    return endPoint;
                }
            };
            connector.addBean(new HeadTimeout(connector, settings.limits().bodyTimeoutSeconds()));
            connector.setHost(settings.host());
            connector.setPort(settings.port());
            connector.setAcceptQueueSize(ACCEPT_QUEUE);
            connector.setIdleTimeout(settings.limits().bodyTimeoutSeconds() * 1000L);
            return connector;
        });
    }

    private static void http(HttpConfiguration http) {
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(MAX_HEADER_BYTES);
        // ICD-O codes contain a slash, which a client may send percent-encoded in the path.
        http.setUriCompliance(UriCompliance.DEFAULT.with("plant4j", UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR));
    }

    private static void server(Server server) {
        server.addBean(new NetworkConnectionLimit(MAX_CONNECTIONS, server));
        server.setErrorHandler(new JsonErrorHandler());
        server.setStopTimeout(STOP_TIMEOUT_MILLISECONDS);
        server.insertHandler(new GracefulHandler());
    }

    static RuntimeException startFailure(ServerSettings settings, RuntimeException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException || cause.getClass().getName().contains("BindException")) {
                return new UserError(
                        "The address is in use or does not belong to this machine",
                        settings.host() + ":" + settings.port(),
                        "choose another port with --port, or stop the other program",
                        e);
            }
        }
        return e;
    }

    /** Writes errors that occur before routing in the format of all other errors. */
    private static final class JsonErrorHandler extends ErrorHandler {

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            String path = String.valueOf(Request.getPathInContext(request));
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, Responses.errorType(path));
            response.getHeaders().put("X-Content-Type-Options", "nosniff");
            byte[] body = Responses.errorBody(path, ApiException.ofStatus(response.getStatus()));
            Content.Sink.write(response, true, new String(body, StandardCharsets.UTF_8), callback);
            return true;
        }
    }
}
