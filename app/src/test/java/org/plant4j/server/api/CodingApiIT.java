package org.plant4j.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
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
import org.plant4j.Band;
import org.plant4j.DomainCheck;
import org.plant4j.Explanation;
import org.plant4j.Suggestion;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.fhir.FhirLimits;
import org.plant4j.fhir.FhirService;
import org.plant4j.server.coding.CodeExplanation;
import org.plant4j.server.coding.CodingQueue;
import org.plant4j.server.coding.ServerMetrics;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;
import org.plant4j.server.search.CodeCatalog;
import org.plant4j.server.search.RankedTokens;
import org.plant4j.text.LabelIndex;

/** The coding routes with a full queue: one document is being coded, one is queued, and the limit is one. */
class CodingApiIT {

    private static final String INVALID_JSON = "{";
    private static final String LARGE = "large";
    private static final int CLIENTS = 400;

    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final ServerMetrics metrics = new ServerMetrics();
    private final CodingQueue queue = new CodingQueue(this::code, new CodingQueue.Limits(1, 1, 100, 1), metrics);
    private final HttpClient client = HttpClient.newHttpClient();
    private final Javalin server = Javalin.create(config -> {
        config.startup.showJavalinBanner = false;
        routes().forEach(route -> config.routes.addHttpHandler(route.method(), route.path(), route.handler()));
        config.routes.exception(ApiException.class, (error, response) -> Responses.error(response, error));
    });

    private Stream<Route> routes() {
        RequestBodies bodies = new RequestBodies(1 << 20, 5);
        DocumentReader reader = new DocumentReader(100);
        CodeCatalog codes = new CodeCatalog(
                CodeSet.empty(), LabelIndex.of(Map.of("M10.9", 1), 1), RankedTokens.NONE, code -> List.of());
        ExplanationApi explanations = new ExplanationApi(queue, bodies, reader, codes, CodingApiIT::explain);
        return Stream.of(
                        new CodingApi(queue, bodies, reader).routes(),
                        new BatchApi(queue, bodies, reader, "model", "version").routes(),
                        new FhirApi(
                                        queue,
                                        bodies,
                                        new EncounterCoding(queue, reader),
                                        new FhirService(FhirLimits.NONE),
                                        request -> "http://localhost")
                                .routes(),
                        explanations.routes())
                .flatMap(List::stream);
    }

    private static CodeExplanation explain(Encounter encounter, String code) {
        Suggestion explained = new Suggestion(code, encounter.text(), 0.5, 0.5, Band.REVIEW, true, List.of());
        return new CodeExplanation(
                "", "", new Explanation(DomainCheck.IN_DOMAIN, explained, List.of(), Optional.empty()));
    }

    /** Blocks until released; fails on the text "large" as if memory were exhausted. */
    private List<CodedDocument> code(List<CodingQueue.CodingRequest> requests) {
        started.countDown();
        try {
            assertThat(release.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        if (requests.stream().anyMatch(request -> request.encounter().text().equals(LARGE))) {
            throw new OutOfMemoryError("a test");
        }
        return requests.stream()
                .map(request -> new CodedDocument(request.encounter().text(), "", DomainCheck.IN_DOMAIN, List.of()))
                .toList();
    }

    @BeforeEach
    void fillQueue() throws InterruptedException {
        CodingQueue.CodingRequest request =
                new CodingQueue.CodingRequest(new Encounter(List.of(new SourceDocument("n", "", "gout"))), 5);
        queue.submit(List.of(request));
        started.await();
        queue.submit(List.of(request));
        server.start("127.0.0.1", 0);
    }

    @AfterEach
    void stop() {
        release.countDown();
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
    void rejectionsAreDelayedAndHoldNoThread() {
        long start = System.nanoTime();
        List<CompletableFuture<HttpResponse<String>>> replies = Stream.generate(() -> post("/api/code", INVALID_JSON))
                .limit(CLIENTS) // more than the server has threads
                .map(request -> client.sendAsync(request, HttpResponse.BodyHandlers.ofString()))
                .toList();
        HttpResponse<String> first = replies.get(0).join();
        assertThat((System.nanoTime() - start) / 1e9).isGreaterThan(0.99);
        assertThat(first.headers().firstValue("Retry-After")).isPresent();
        assertThat(first.body()).contains("The server is busy");
        assertThat(replies).extracting(reply -> reply.join().statusCode()).containsOnly(429);
        assertThat(metrics.toPrometheusText()).contains("plant_rejected_requests_total " + CLIENTS);
    }

    @Test
    void aFullQueueRejectsWithoutReadingTheBody() throws IOException, InterruptedException {
        for (String path : List.of("/api/code", "/api/code/batch", "/fhir/$code")) {
            HttpResponse<String> reply = client.send(post(path, INVALID_JSON), HttpResponse.BodyHandlers.ofString());
            assertThat(reply.statusCode()).as(path).isEqualTo(429);
        }
    }

    @Test
    void explanationsHaveTheirOwnQueue() throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<String>> accepted = client.sendAsync(
                post("/api/explain", "{\"text\": \"gout\", \"code\": \"M10.9\"}"),
                HttpResponse.BodyHandlers.ofString());
        while (queue.queuedExplanations() == 0) {
            Thread.onSpinWait();
        }
        HttpResponse<String> second =
                client.send(post("/api/explain", INVALID_JSON), HttpResponse.BodyHandlers.ofString());
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(accepted).isNotDone();
        release.countDown();
        assertThat(accepted.join().statusCode()).isEqualTo(200);
    }

    @Test
    void aLongBodyIsReadBeforeItIsRejected() throws IOException, InterruptedException {
        String padded = "{\"text\": \"gout\"" + " ".repeat(500_000) + "}";
        HttpResponse<String> reply = client.send(post("/api/code", padded), HttpResponse.BodyHandlers.ofString());
        assertThat(reply.statusCode()).isEqualTo(429);
    }

    @Test
    void codesAgainOnceTheQueueHasCapacity() throws IOException, InterruptedException {
        release.countDown();
        while (queue.queuedDocuments() > 0) {
            Thread.onSpinWait();
        }
        HttpResponse<String> reply =
                client.send(post("/api/code", "{\"text\": \"gout\"}"), HttpResponse.BodyHandlers.ofString());
        assertThat(reply.statusCode()).isEqualTo(200);
    }

    @Test
    void anErrorOfTheQueueKeepsItsStatusInEveryFormat() throws IOException, InterruptedException {
        release.countDown();
        while (queue.queuedDocuments() > 0) {
            Thread.onSpinWait();
        }
        String resource = "{\"resourceType\": \"DocumentReference\", \"status\": \"current\", \"content\":"
                + " [{\"attachment\": {\"contentType\": \"text/plain\", \"data\": \""
                + Base64.getEncoder().encodeToString(LARGE.getBytes(StandardCharsets.UTF_8)) + "\"}}]}";
        Map<String, String> bodies = Map.of("/api/code", "{\"text\": \"large\"}", "/fhir/$code", resource);
        for (Map.Entry<String, String> body : bodies.entrySet()) {
            HttpResponse<String> reply =
                    client.send(post(body.getKey(), body.getValue()), HttpResponse.BodyHandlers.ofString());
            assertThat(reply.statusCode()).as(body.getKey()).isEqualTo(413);
            assertThat(reply.body()).contains("memory");
        }
        HttpResponse<String> batch = client.send(
                post("/api/code/batch", "{\"documents\": [{\"text\": \"large\"}, {\"id\": \"b\"}]}"),
                HttpResponse.BodyHandlers.ofString());
        assertThat(batch.statusCode()).isEqualTo(200);
        assertThat(batch.body())
                .contains("\"id\":\"1\",\"status\":413", "memory", "\"id\":\"b\",\"status\":422", "documents[1].text");
    }
}
