package org.plant4j.app.desk;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Supplier;
import org.plant4j.predict.RunFolder;

/** Tells of the run: its model, its codes, its report, and notes to try it with. */
final class RunApi {

    private static final int MOST_FOUND = 100;

    private final RunFolder run;
    private final ModelFacts facts;
    private final Codes codes;
    private final Supplier<List<Note>> samples;

    RunApi(RunFolder run, ModelFacts facts, Codes codes, Supplier<List<Note>> samples) {
        this.run = run;
        this.facts = facts;
        this.codes = codes;
        this.samples = samples;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/model", Need.CODER, request -> Answer.json(request, facts.body())),
                Route.get("/api/samples", Need.CODER, request -> Answer.json(request, samples.get())),
                Route.get("/api/codes", Need.CODER, this::search),
                Route.get("/api/codes/<code>", Need.CODER, this::code),
                Route.get("/report", Need.CODER, this::report));
    }

    private void search(Context request) {
        String query = Query.text(request, "q")
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> Problem.senseless("There is nothing to search for", "q", "send ?q=WORDS"));
        Answer.json(request, codes.search(query, Query.number(request, "limit", 20, MOST_FOUND)));
    }

    private void code(Context request) {
        Answer.json(
                request,
                codes.find(request.pathParam("code"))
                        .orElseThrow(() -> new Problem(
                                Problem.NOT_FOUND,
                                "The code book has no such code",
                                "code",
                                "search it with /api/codes?q=")));
    }

    private void report(Context request) {
        if (!Files.exists(run.report())) {
            throw new Problem(Problem.NOT_FOUND, "The run has no report", "report", "make it with: plant evaluate RUN");
        }
        Headers.policy(request, Headers.DOCUMENT);
        try {
            request.contentType("text/html; charset=utf-8").result(Files.readAllBytes(run.report()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
