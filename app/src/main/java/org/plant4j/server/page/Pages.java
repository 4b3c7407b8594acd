package org.plant4j.server.page;

import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import org.plant4j.report.Html;
import org.plant4j.server.coding.Health;
import org.plant4j.server.coding.ServerMetrics;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.Json;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;
import org.plant4j.server.http.SecurityHeaders;

/** The web pages, the API description, the health check and the metrics. */
public final class Pages {

    private static final String OPEN_API = "openapi.json";

    private final ServerMetrics metrics;
    private final Health health;
    private final StaticFiles files = new StaticFiles();
    private final String openApi = Html.resource(Pages.class, OPEN_API);
    private final String apiPage = ApiPage.render(Json.parse(openApi));

    public Pages(ServerMetrics metrics, Health health) {
        this.metrics = metrics;
        this.health = health;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/", RequiredRole.NONE, request -> files.send(request, "index.html")),
                Route.get("/model", RequiredRole.NONE, request -> files.send(request, "model.html")),
                Route.get("/manage", RequiredRole.NONE, request -> files.send(request, "manage.html")),
                Route.get("/api", RequiredRole.NONE, this::api),
                Route.get(
                        "/openapi.json",
                        RequiredRole.NONE,
                        request -> request.contentType("application/json").result(openApi)),
                Route.get("/api/health", RequiredRole.NONE, this::health),
                Route.get(
                        "/metrics",
                        RequiredRole.CODER,
                        request ->
                                request.contentType("text/plain; version=0.0.4").result(metrics.toPrometheusText())),
                Route.get("/{file}", RequiredRole.NONE, request -> files.send(request, request.pathParam("file"))));
    }

    private void api(Context request) {
        SecurityHeaders.setContentSecurityPolicy(request, SecurityHeaders.DOCUMENT_POLICY);
        request.contentType("text/html; charset=utf-8").result(apiPage);
    }

    private void health(Context request) {
        String status = health.status();
        request.status(status.equals(Health.OK) ? 200 : ApiException.UNAVAILABLE);
        Responses.json(request, Map.of("status", status));
    }
}
