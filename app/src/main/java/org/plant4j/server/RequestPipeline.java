package org.plant4j.server;

import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.plant4j.UserError;
import org.plant4j.fhir.RequestTooLarge;
import org.plant4j.review.database.DatabaseException;
import org.plant4j.review.worklist.WorklistConflict;
import org.plant4j.server.access.AccessControl;
import org.plant4j.server.access.AuditLog;
import org.plant4j.server.access.Caller;
import org.plant4j.server.access.ClientAddress;
import org.plant4j.server.access.OriginGuard;
import org.plant4j.server.coding.ServerMetrics;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.RequestAttributes;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;
import org.plant4j.server.http.SecurityHeaders;
import org.plant4j.server.login.OidcLogin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What every request passes through: security headers, origin check, access control, error responses and the log. */
final class RequestPipeline {

    private static final Logger LOG = LoggerFactory.getLogger(RequestPipeline.class);
    private static final String ROUTE = "route";
    private static final String AUDITED = "audited";
    private static final String CLIENT = "waiting client";

    /** A header with the name of the user for whom a page was loaded, percent-encoded. */
    private static final String EXPECTED_USER = "Expected-User";

    private final OriginGuard guard;
    private final AccessControl access;
    private final Optional<OidcLogin> login;
    private final Set<String> proxies;
    private final Optional<AuditLog> audit;
    private final ServerMetrics metrics;
    private volatile boolean stopping;

    RequestPipeline(
            OriginGuard guard,
            AccessControl access,
            Optional<OidcLogin> login,
            Set<String> proxies,
            Optional<AuditLog> audit,
            ServerMetrics metrics) {
        this.guard = guard;
        this.access = access;
        this.login = login;
        this.proxies = proxies;
        this.audit = audit;
        this.metrics = metrics;
    }

    void configure(JavalinConfig config, List<Route> routes) {
        config.routes.before(this::filter);
        for (Route route : routes) {
            config.routes.addHttpHandler(route.method(), route.path(), request -> handle(request, route));
            if (HandlerType.GET.equals(route.method())) { // Javalin would answer 200 without asking the route
                config.routes.addHttpHandler(HandlerType.HEAD, route.path(), request -> handle(request, route));
            }
            if (guard.allowsCrossOrigin() && OriginGuard.isCdsHooks(route.path())) {
                config.routes.addHttpHandler(HandlerType.OPTIONS, route.path(), OriginGuard::answerPreflight);
            }
        }
        config.routes.exception(ApiException.class, (error, response) -> Responses.error(response, error));
        config.routes.exception(
                UserError.class, (error, response) -> Responses.error(response, ApiException.of(error)));
        config.routes.exception(
                RequestTooLarge.class, (error, response) -> Responses.error(response, ApiException.of(error)));
        config.routes.exception(
                WorklistConflict.class, (conflict, response) -> Responses.error(response, ApiException.of(conflict)));
        config.routes.exception(DatabaseException.class, RequestPipeline::handleDatabaseFailure);
        config.routes.exception(HttpResponseException.class, RequestPipeline::handleRejected);
        config.routes.exception(Exception.class, RequestPipeline::handleUnexpected);
        config.requestLogger.http(this::log);
    }

    /** From now on, requests are answered with 503. */
    void stop() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    private void filter(Context request) {
        SecurityHeaders.addDefaults(request);
        if (login.isPresent()) {
            SecurityHeaders.requireEncryption(request);
        }
        request.attribute(AUDITED, true); // a request that the guard rejects has no route yet
        guard.check(request);
        request.attribute(AUDITED, false);
        if (stopping) {
            request.header("Connection", "close");
            throw ApiException.shuttingDown();
        }
    }

    private void handle(Context request, Route route) throws Exception {
        request.attribute(ROUTE, route.template());
        request.attribute(AUDITED, route.requiredRole() != RequiredRole.NONE);
        WaitingClient client = new WaitingClient(request);
        request.attribute(CLIENT, client);
        RequestAttributes.setClientGone(request, client);
        if (route.requiredRole() == RequiredRole.LOGIN) {
            access.limitAnonymous(ClientAddress.of(request, proxies));
        } else if (route.requiredRole() != RequiredRole.NONE) {
            authorize(request, route.requiredRole());
        }
        route.handler().handle(request);
    }

    private void authorize(Context request, RequiredRole required) {
        Optional<String> authorization = Optional.ofNullable(request.header("Authorization"));
        Caller caller = access.authenticate(
                authorization, () -> login.flatMap(signIn -> signIn.find(request)), ClientAddress.of(request, proxies));
        caller.attachTo(request); // first, so that the audit log names who was refused
        requireExpected(request, caller);
        access.authorize(caller, required);
    }

    /** A page that one user opened must not act for another who has signed in to the same browser since. */
    private static void requireExpected(Context request, Caller caller) {
        String expected = request.header(EXPECTED_USER);
        if (expected != null && !expected.equals(percentEncoded(caller.name()))) {
            throw new ApiException(
                    ApiException.FORBIDDEN,
                    "Somebody else has signed in",
                    EXPECTED_USER,
                    "sign in as before, or reload the page");
        }
    }

    private static String percentEncoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Turns Javalin's own rejections, such as 404 and 405, into the format of all errors. */
    private static void handleRejected(HttpResponseException rejection, Context response) {
        String methods = rejection.getDetails().get("availableMethods");
        if (methods != null) {
            response.header("Allow", methods);
        }
        Responses.error(response, ApiException.ofStatus(rejection.getStatus()));
    }

    private static void handleDatabaseFailure(DatabaseException failure, Context response) {
        LOG.error(
                "{} {} failed: review database {}, SQL state {}",
                response.method(),
                route(response),
                failure.kind(),
                failure.sqlState());
        Responses.error(response, ApiException.of(failure));
    }

    /** Logs the type and origin of an unexpected exception, but never its message, which may quote a document. */
    private static void handleUnexpected(Exception exception, Context response) {
        StackTraceElement[] trace = exception.getStackTrace();
        LOG.error(
                "{} {} failed: {} at {}",
                response.method(),
                route(response),
                exception.getClass().getName(),
                trace.length == 0 ? "?" : trace[0]);
        Responses.error(response, ApiException.internal(route(response)));
    }

    private void log(Context request, Float milliseconds) {
        Optional.ofNullable(request.<WaitingClient>attribute(CLIENT)).ifPresent(WaitingClient::setAnswered);
        metrics.recordRequest(request.method().toString(), route(request), request.statusCode(), milliseconds / 1000);
        LOG.info("{} {} {} {} ms", request.method(), route(request), request.statusCode(), Math.round(milliseconds));
        if (Boolean.TRUE.equals(request.<Boolean>attribute(AUDITED))) {
            audit.ifPresent(log -> log.add(
                    Caller.find(request).map(Caller::name).orElse(""),
                    ClientAddress.of(request, proxies).address(),
                    request.method() + " " + route(request),
                    request.statusCode(),
                    RequestAttributes.document(request)));
        }
    }

    /** The route's template and not the path, which contains user input. */
    private static String route(Context request) {
        String route = request.attribute(ROUTE);
        return route == null ? "other" : route;
    }
}
