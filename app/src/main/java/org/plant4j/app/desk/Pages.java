package org.plant4j.app.desk;

import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.plant4j.Html;

/** What a browser opens, and what a machine watches. */
final class Pages {

    private static final String OPEN_API = "openapi.json";

    private final Metrics metrics;
    private final BooleanSupplier ready;
    private final WebFiles files = new WebFiles();
    private final String openApi = Html.resource(Pages.class, OPEN_API);
    private final String apiPage = ApiPage.of(Json.read(openApi));

    Pages(Metrics metrics, BooleanSupplier ready) {
        this.metrics = metrics;
        this.ready = ready;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/", Need.NOTHING, request -> files.send(request, "index.html")),
                Route.get("/model", Need.NOTHING, request -> files.send(request, "model.html")),
                Route.get("/api", Need.NOTHING, this::api),
                Route.get(
                        "/openapi.json",
                        Need.NOTHING,
                        request -> request.contentType("application/json").result(openApi)),
                Route.get("/api/health", Need.NOTHING, this::health),
                Route.get(
                        "/metrics",
                        Need.CODER,
                        request ->
                                request.contentType("text/plain; version=0.0.4").result(metrics.text())),
                Route.get("/{file}", Need.NOTHING, request -> files.send(request, request.pathParam("file"))));
    }

    private void api(Context request) {
        Headers.policy(request, Headers.DOCUMENT);
        request.contentType("text/html; charset=utf-8").result(apiPage);
    }

    private void health(Context request) {
        boolean up = ready.getAsBoolean();
        request.status(up ? 200 : Problem.UNAVAILABLE);
        Answer.json(request, Map.of("status", up ? "ok" : "stopping"));
    }
}
