package org.plant4j.server.coding;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.plant4j.calibration.Band;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.Note;
import org.plant4j.encounter.SuggestedCode;
import org.plant4j.fhir.FhirService;
import org.plant4j.server.api.CodingApi;
import org.plant4j.server.api.ExplanationApi;
import org.plant4j.server.api.NoteReader;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;
import org.plant4j.server.search.CodeCatalog;
import org.plant4j.server.search.RankedTokens;
import org.plant4j.text.LabelIndex;

/** The coding routes before a queue that is full: one document is being coded, one waits, and no more may. */
class CodingApiIT {

    private static final String NO_JSON = "{";
    private static final int CLIENTS = 400;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayGo = new CountDownLatch(1);
    private final ServerMetrics metrics = new ServerMetrics();
    private final CodingQueue queue = new CodingQueue(this::code, new CodingQueue.Limits(1, 1, 100), metrics);
    private final HttpClient client = HttpClient.newHttpClient();
    private final Javalin server = Javalin.create(config -> {
        config.startup.showJavalinBanner = false;
        routes().forEach(route -> config.routes.addHttpHandler(route.method(), route.path(), route.handler()));
        config.routes.exception(ApiException.class, (problem, answer) -> Responses.error(answer, problem));
    });

    private Stream<Route> routes() {
        RequestBodies bodies = new RequestBodies(1 << 20, 5);
        NoteReader notes = new NoteReader(100);
        CodeCatalog codes = new CodeCatalog(CodeSet.empty(), LabelIndex.of(Map.of("M10.9", 1), 1), RankedTokens.NONE);
        ExplanationApi explanations = new ExplanationApi(queue, bodies, notes, codes, CodingApiIT::explain);
        return Stream.concat(
                new CodingApi(queue, bodies, notes, new FhirService()).routes().stream(),
                explanations.routes().stream());
    }

    private static Explanation explain(Encounter encounter, String code) {
        SuggestedCode explained = new SuggestedCode(code, encounter.text(), 0.5, Band.REVIEW, List.of());
        return new Explanation("", "", explained, Optional.empty(), Optional.empty());
    }

    private List<CodedDocument> code(List<CodingQueue.CodingRequest> works) {
        begun.countDown();
        try {
            assertThat(mayGo.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return works.stream()
                .map(work -> new CodedDocument(work.encounter().text(), "", List.of()))
                .toList();
    }

    @BeforeEach
    void fill() throws InterruptedException {
        CodingQueue.CodingRequest work =
                new CodingQueue.CodingRequest(new Encounter(List.of(new Note("n", "", "gout"))), 5);
        queue.submit(List.of(work));
        begun.await();
        queue.submit(List.of(work));
        server.start("127.0.0.1", 0);
    }

    @AfterEach
    void stop() {
        mayGo.countDown();
        server.stop();
        queue.close();
    }

    private HttpRequest post(String path, String body) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    @Test
    void theRefusedWaitASecondAndHoldNoThread() {
        long start = System.nanoTime();
        List<CompletableFuture<HttpResponse<String>>> replies = Stream.generate(() -> post("/api/code", NO_JSON))
                .limit(CLIENTS) // more than the server has threads
                .map(request -> client.sendAsync(request, HttpResponse.BodyHandlers.ofString()))
                .toList();
        HttpResponse<String> first = replies.get(0).join();
        assertThat((System.nanoTime() - start) / 1e9).isGreaterThan(0.99);
        assertThat(first.headers().firstValue("Retry-After")).isPresent();
        assertThat(first.body()).contains("The desk is busy");
        assertThat(replies).extracting(reply -> reply.join().statusCode()).containsOnly(429);
        assertThat(metrics.toPrometheusText()).contains("plant_turned_away_total " + CLIENTS);
    }

    @Test
    void aFullQueueDoesNotReadWhatItRefuses() throws IOException, InterruptedException {
        for (String path : List.of("/api/code", "/api/code/batch", "/fhir/$code")) {
            HttpResponse<String> reply = client.send(post(path, NO_JSON), HttpResponse.BodyHandlers.ofString());
            assertThat(reply.statusCode()).as(path).isEqualTo(429);
        }
    }

    @Test
    void explanationsHaveRoomOfTheirOwn() throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<String>> accepted = client.sendAsync(
                post("/api/explain", "{\"text\": \"gout\", \"code\": \"M10.9\"}"),
                HttpResponse.BodyHandlers.ofString());
        while (queue.queuedExplanations() == 0) {
            Thread.onSpinWait();
        }
        HttpResponse<String> second = client.send(post("/api/explain", NO_JSON), HttpResponse.BodyHandlers.ofString());
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(accepted).isNotDone();
        mayGo.countDown();
        assertThat(accepted.join().statusCode()).isEqualTo(200);
    }

    @Test
    void aLongBodyIsReadFirstSoThatItsSenderSeesTheAnswer() throws IOException, InterruptedException {
        String padded = "{\"text\": \"gout\"" + " ".repeat(500_000) + "}";
        HttpResponse<String> reply = client.send(post("/api/code", padded), HttpResponse.BodyHandlers.ofString());
        assertThat(reply.statusCode()).isEqualTo(429);
    }

    @Test
    void whereThereIsRoomAgainItCodes() throws IOException, InterruptedException {
        mayGo.countDown();
        while (queue.queuedDocuments() > 0) {
            Thread.onSpinWait();
        }
        HttpResponse<String> reply =
                client.send(post("/api/code", "{\"text\": \"gout\"}"), HttpResponse.BodyHandlers.ofString());
        assertThat(reply.statusCode()).isEqualTo(200);
    }
}
