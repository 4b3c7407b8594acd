package org.plant4j.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.plant4j.Coder;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.review.InMemoryReviewStore;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.database.Database;
import org.plant4j.review.worklist.Worklist;
import org.plant4j.server.login.OidcLogin;

/** A server on a free port with in-memory stores, and a client for it that checks every response with its description. */
public final class RunningServer implements AutoCloseable {

    /** A response. */
    public record Reply(int status, String body, HttpResponse<String> whole) {

        public JsonNode json() {
            try {
                return new ObjectMapper().readTree(body);
            } catch (IOException e) {
                throw new AssertionError(body, e);
            }
        }

        public String header(String name) {
            return whole.headers().firstValue(name).orElse("");
        }
    }

    static final ServerSettings SETTINGS =
            new ServerSettings("127.0.0.1", 0, true, new ServerSettings.Limits(20_000, 64, 16, 0, 2));

    final InMemoryReviewStore reviews = new InMemoryReviewStore();
    final InMemoryAccessTokenStore tokens;
    final CodingServer server;
    final Worklist worklist;
    private final Database database;
    private final Coder coder;
    private final HttpClient client = HttpClient.newHttpClient();

    RunningServer() {
        this(SETTINGS, new InMemoryAccessTokenStore());
    }

    RunningServer(ServerSettings settings, InMemoryAccessTokenStore tokens) {
        this(TinyRun.directory(), settings, tokens, Optional.empty());
    }

    RunningServer(ServerSettings settings, InMemoryAccessTokenStore tokens, OidcLogin login) {
        this(TinyRun.directory(), settings, tokens, Optional.of(login));
    }

    public RunningServer(RunDirectory run) {
        this(run, SETTINGS, new InMemoryAccessTokenStore(), Optional.empty());
    }

    private RunningServer(
            RunDirectory run, ServerSettings settings, InMemoryAccessTokenStore tokens, Optional<OidcLogin> login) {
        this.tokens = tokens;
        this.coder = Coder.load(run.path());
        this.database = TestWorklist.open();
        this.worklist = TestWorklist.of(database, settings.keepText());
        this.server = new CodingServer(settings, run, () -> coder, reviews, tokens, worklist, login);
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    public Reply get(String path, String... headers) {
        return send(headers(request(path), headers));
    }

    public Reply post(String path, String body, String... headers) {
        return send(headers(request(path).header("Content-Type", "application/json"), headers)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body.getBytes(StandardCharsets.UTF_8))));
    }

    public int port() {
        return server.port();
    }

    private static HttpRequest.Builder headers(HttpRequest.Builder request, String... headers) {
        return headers.length == 0 ? request : request.headers(headers);
    }

    public Reply send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            OpenApiContract.CURRENT.check(response);
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
        server.close();
        coder.close();
        database.close();
    }
}
