package org.plant4j.app.desk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.plant4j.app.fhir.FhirInterchange;
import org.plant4j.predict.Coder;
import org.plant4j.predict.RunFolder;

/** A desk on a free port with stores in memory, and a client for it. */
final class RunningDesk implements AutoCloseable {

    /** What came back. */
    record Reply(int status, String body, HttpResponse<String> whole) {

        JsonNode json() {
            try {
                return new ObjectMapper().readTree(body);
            } catch (IOException e) {
                throw new AssertionError(body, e);
            }
        }

        String header(String name) {
            return whole.headers().firstValue(name).orElse("");
        }
    }

    static final Desk.Settings SETTINGS = new Desk.Settings("127.0.0.1", 0, true, 20_000, 64, 16, 0, 2);

    final MemoryReviews reviews = new MemoryReviews();
    final MemoryTokens tokens;
    final Desk desk;
    private final Coder coder;
    private final HttpClient client = HttpClient.newHttpClient();

    RunningDesk() {
        this(SETTINGS, new MemoryTokens());
    }

    RunningDesk(Desk.Settings settings, MemoryTokens tokens) {
        this(TinyRun.folder(), settings, tokens);
    }

    RunningDesk(RunFolder run) {
        this(run, SETTINGS, new MemoryTokens());
    }

    private RunningDesk(RunFolder run, Desk.Settings settings, MemoryTokens tokens) {
        this.tokens = tokens;
        this.coder = Coder.load(run.path());
        this.desk = new Desk(settings, run, coder, reviews, tokens, new FhirInterchange());
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + desk.port() + path));
    }

    Reply get(String path, String... headers) {
        return send(headers(request(path), headers));
    }

    Reply post(String path, String body, String... headers) {
        return send(headers(request(path).header("Content-Type", "application/json"), headers)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body.getBytes(StandardCharsets.UTF_8))));
    }

    private static HttpRequest.Builder headers(HttpRequest.Builder request, String... headers) {
        return headers.length == 0 ? request : request.headers(headers);
    }

    Reply send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Reply(response.statusCode(), response.body(), response);
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        desk.close();
        coder.close();
    }
}
