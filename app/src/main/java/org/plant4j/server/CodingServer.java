package org.plant4j.server;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.plant4j.Coder;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.fhir.FhirEndpoint;
import org.plant4j.review.AccessTokenStore;
import org.plant4j.review.ReviewStore;
import org.plant4j.server.access.AccessControl;
import org.plant4j.server.access.Caller;
import org.plant4j.server.access.OriginGuard;
import org.plant4j.server.api.CodingApi;
import org.plant4j.server.api.ExplanationApi;
import org.plant4j.server.api.ModelApi;
import org.plant4j.server.api.NoteReader;
import org.plant4j.server.api.ReviewApi;
import org.plant4j.server.api.ReviewJson;
import org.plant4j.server.coding.CodingQueue;
import org.plant4j.server.coding.EncounterCoder;
import org.plant4j.server.coding.ModelInfo;
import org.plant4j.server.coding.ServerMetrics;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;
import org.plant4j.server.http.SecurityHeaders;
import org.plant4j.server.page.Pages;
import org.plant4j.server.page.SampleNotes;
import org.plant4j.server.search.CodeCatalog;
import org.plant4j.server.search.RankedTokens;
import org.plant4j.support.UserError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The coding desk's server: made by hand out of its parts, open from its construction until it is closed. */
public final class CodingServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CodingServer.class);
    private static final String ROUTE = "route";
    private static final String BEARER = "bearer";

    /** A batch holds up to this share of a queue's characters; more would only pad. */
    private static final int BATCH_CHARACTERS = 200_000;

    /** Bytes a character may take when it is escaped in JSON, and room for the rest of a request. */
    private static final int MAX_BYTES_PER_CHARACTER = 6;

    private static final int BODY_OVERHEAD_BYTES = 1 << 20;

    /**
     * How the desk is set up. Sizes: characters of a document, documents that may wait, documents coded at once,
     * requests a second for each user (0 without limit), seconds a body may take.
     */
    public record Settings(
            String host, int port, boolean keepText, int maxText, int queue, int batch, int rate, int bodySeconds) {

        public Settings {
            check("max-text", maxText, 1);
            check("queue", queue, 1);
            check("batch", batch, 1);
            check("rate", rate, 0);
        }

        private static void check(String option, int value, int least) {
            if (value < least) {
                throw new UserError(value + " is too small", "--" + option, "use " + least + " or more");
            }
        }

        boolean isLoopback() {
            return CodingServer.isLoopback(host);
        }
    }

    /** Whether only this machine can reach the host. */
    public static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new UserError("There is no such host", "--host " + host, "use 127.0.0.1 or 0.0.0.0", e);
        }
    }

    private final Settings settings;
    private final ServerMetrics metrics = new ServerMetrics();
    private final AccessControl access;
    private final OriginGuard guard;
    private final CodingQueue queue;
    private final List<Route> routes;
    private final Javalin server;
    private volatile boolean stopping;

    /** Starts to listen. The stores and the coder stay the caller's to close. */
    public CodingServer(
            Settings settings,
            RunDirectory run,
            Coder coder,
            ReviewStore reviews,
            AccessTokenStore tokens,
            FhirEndpoint fhir) {
        this.settings = settings;
        boolean loopback = settings.isLoopback();
        requireToken(settings, tokens, loopback);
        access = new AccessControl(tokens, loopback, settings.rate(), System::nanoTime);
        guard = new OriginGuard(loopback);
        CodeCatalog codes = new CodeCatalog(
                coder.codeBook(), coder.labels(), RankedTokens.read(run, coder.labels(), coder.vocabulary()));
        ModelInfo facts = ModelInfo.read(run, coder, settings.keepText());
        EncounterCoder runCoder = new EncounterCoder(coder, facts);
        RequestBodies bodies = new RequestBodies(
                (long) MAX_BYTES_PER_CHARACTER * settings.maxText() + BODY_OVERHEAD_BYTES, settings.bodySeconds());
        NoteReader notes = new NoteReader(settings.maxText());
        queue = new CodingQueue(
                runCoder::code, new CodingQueue.Limits(settings.queue(), settings.batch(), BATCH_CHARACTERS), metrics);
        metrics.registerQueueGauges(queue::queuedDocuments, queue::queuedExplanations);
        routes = new ArrayList<>();
        routes.addAll(new CodingApi(queue, bodies, notes, fhir).routes());
        routes.addAll(new ExplanationApi(queue, bodies, notes, codes, runCoder::explain).routes());
        routes.addAll(new ModelApi(run, facts, codes, () -> SampleNotes.forModel(coder::vocabularyCoverage)).routes());
        routes.addAll(
                new ReviewApi(reviews, bodies, new ReviewJson(notes, codes), metrics, settings.keepText()).routes());
        routes.addAll(new Pages(metrics, this::isReady).routes());
        server = Javalin.create(this::configure);
        try {
            server.start();
        } catch (RuntimeException e) {
            queue.close();
            throw JettyConfig.startFailure(settings, e);
        }
    }

    private static void requireToken(Settings settings, AccessTokenStore tokens, boolean loopback) {
        if (!loopback
                && tokens.list().stream().allMatch(token -> token.revoked().isPresent())) {
            throw new UserError(
                    "Beyond this machine the desk needs a token, and there is none",
                    "--host " + settings.host(),
                    "make one first: plant token create NAME --role admin");
        }
    }

    private void configure(JavalinConfig config) {
        JettyConfig.configure(config, settings);
        config.routes.before(request -> {
            SecurityHeaders.addDefaults(request);
            guard.check(request);
            if (stopping) {
                request.header("Connection", "close");
                throw ApiException.shuttingDown();
            }
        });
        for (Route route : routes) {
            config.routes.addHttpHandler(route.method(), route.path(), request -> {
                request.attribute(ROUTE, route.template());
                Optional<String> authorization = Optional.ofNullable(request.header("Authorization"));
                request.attribute(BEARER, access.authorize(authorization, request.ip(), route.requiredRole()));
                route.handler().handle(request);
            });
        }
        config.routes.exception(ApiException.class, (problem, answer) -> Responses.error(answer, problem));
        config.routes.exception(UserError.class, (error, answer) -> Responses.error(answer, ApiException.of(error)));
        config.routes.exception(HttpResponseException.class, (refused, answer) -> {
            refused.getDetails().forEach((name, value) -> {
                if (name.equals("availableMethods")) {
                    answer.header("Allow", value);
                }
            });
            Responses.error(answer, OriginGuard.problem(refused.getStatus()));
        });
        config.routes.exception(Exception.class, this::handleUnexpected);
        config.requestLogger.http(this::logRequest);
    }

    /** A fault of ours: its kind and place go to the log, never its message, which may quote a note. */
    private void handleUnexpected(Exception fault, Context answer) {
        StackTraceElement[] trace = fault.getStackTrace();
        LOG.error(
                "{} {} failed: {} at {}",
                answer.method(),
                route(answer),
                fault.getClass().getName(),
                trace.length == 0 ? "?" : trace[0]);
        Responses.error(
                answer,
                new ApiException(
                        ApiException.INTERNAL,
                        "The server has a fault",
                        route(answer),
                        "tell whoever runs it; its log has more"));
    }

    private void logRequest(Context request, Float milliseconds) {
        metrics.recordRequest(request.method().toString(), route(request), request.statusCode(), milliseconds / 1000);
        LOG.info("{} {} {} {} ms", request.method(), route(request), request.statusCode(), Math.round(milliseconds));
    }

    /** The template and not the path, which holds what the user typed. */
    private static String route(Context request) {
        String route = request.attribute(ROUTE);
        return route == null ? "other" : route;
    }

    public static Caller caller(Context request) {
        Caller bearer = request.attribute(BEARER);
        return bearer == null ? Caller.LOCAL : bearer;
    }

    private boolean isReady() {
        return !stopping;
    }

    /** What the server does, by path and method. */
    List<Route> routes() {
        return List.copyOf(routes);
    }

    ServerMetrics metrics() {
        return metrics;
    }

    public int port() {
        return server.port();
    }

    /** Where a browser on this machine finds the desk. */
    public String address() {
        String host = settings.isLoopback() ? settings.host() : "localhost";
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + "/";
    }

    /** Takes no more requests and returns when all that was accepted is answered. */
    @Override
    public void close() {
        stopping = true;
        server.stop();
        queue.close();
    }
}
