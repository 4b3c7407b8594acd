package org.plant4j.server.api;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Supplier;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.server.coding.ModelInfo;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.QueryParameters;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;
import org.plant4j.server.http.SecurityHeaders;
import org.plant4j.server.search.CodeCatalog;

/** The run's model, code set and report, and sample notes. */
public final class ModelApi {

    private static final int MAX_RESULTS = 100;

    private final RunDirectory run;
    private final Supplier<ModelInfo> model;
    private final CodeCatalog codes;
    private final Supplier<List<SourceDocument>> samples;

    public ModelApi(
            RunDirectory run, Supplier<ModelInfo> model, CodeCatalog codes, Supplier<List<SourceDocument>> samples) {
        this.run = run;
        this.model = model;
        this.codes = codes;
        this.samples = samples;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/api/model", RequiredRole.CODER, request -> Responses.json(request, model.get())),
                Route.get("/api/samples", RequiredRole.CODER, request -> Responses.json(request, samples.get())),
                Route.get("/api/codes", RequiredRole.CODER, this::search),
                Route.get("/api/codes/<code>", RequiredRole.CODER, this::code),
                Route.get("/report", RequiredRole.CODER, this::report));
    }

    private void search(Context request) {
        String query = QueryParameters.text(request, "q")
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> ApiException.unprocessable("The search text is empty", "q", "send ?q=TEXT"));
        Responses.json(request, codes.search(query, QueryParameters.integer(request, "limit", 20, MAX_RESULTS)));
    }

    private void code(Context request) {
        Responses.json(
                request,
                codes.details(request.pathParam("code"))
                        .orElseThrow(() -> new ApiException(
                                ApiException.NOT_FOUND, "Unknown code", "code", "search with /api/codes?q=")));
    }

    private void report(Context request) {
        if (!run.has(run.report())) {
            throw new ApiException(
                    ApiException.NOT_FOUND, "The run has no report", "report", "create it with: plant evaluate RUN");
        }
        SecurityHeaders.setContentSecurityPolicy(request, SecurityHeaders.DOCUMENT_POLICY);
        try {
            request.contentType("text/html; charset=utf-8").result(Files.readAllBytes(run.report()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
