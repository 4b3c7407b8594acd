package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.plant4j.Coder;
import org.plant4j.UserError;
import org.plant4j.review.InMemoryReviewStore;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.database.Database;

/** A server whose model is still loading. */
class StartingServerIT {

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void requestsWaitForTheModel() throws Exception {
        int port = freePort();
        CompletableFuture<Coder> model = new CompletableFuture<>();
        try (Database database = TestWorklist.open();
                Coder coder = Coder.load(TinyRun.directory().path())) {
            CompletableFuture<CodingServer> starting = CompletableFuture.supplyAsync(
                    () -> start(port, model::join, database), task -> new Thread(task).start());
            assertThat(health(port)).isEqualTo("503 {\"status\":\"starting\"}");
            CompletableFuture<HttpResponse<String>> coded = client.sendAsync(
                    request(port, "/api/code")
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{\"text\": \"Heart failure.\"}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(coded).isNotDone();
            model.complete(coder);
            assertThat(coded.join().statusCode()).isEqualTo(200);
            try (CodingServer server = starting.join()) {
                assertThat(server.port()).isEqualTo(port);
                assertThat(health(port)).isEqualTo("200 {\"status\":\"ok\"}");
            }
        }
    }

    @Test
    void aModelThatCannotBeLoadedEndsTheServer() throws Exception {
        int port = freePort();
        UserError damaged = new UserError("The file is damaged", "model", "copy it again");
        try (Database database = TestWorklist.open()) {
            assertThatThrownBy(() -> start(
                            port,
                            () -> {
                                throw damaged;
                            },
                            database))
                    .isSameAs(damaged);
        }
        assertThatThrownBy(
                        () -> client.send(request(port, "/api/health").build(), HttpResponse.BodyHandlers.discarding()))
                .isInstanceOf(ConnectException.class);
    }

    private static CodingServer start(int port, Supplier<Coder> coder, Database database) {
        return new CodingServer(
                new ServerSettings("127.0.0.1", port, true, RunningServer.SETTINGS.limits()),
                TinyRun.directory(),
                coder,
                new InMemoryReviewStore(),
                new InMemoryAccessTokenStore(),
                TestWorklist.of(database, true));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    /** Status and body; waits until the server listens. */
    private String health(int port) throws InterruptedException, IOException {
        while (true) {
            try {
                HttpResponse<String> response =
                        client.send(request(port, "/api/health").build(), HttpResponse.BodyHandlers.ofString());
                return response.statusCode() + " " + response.body();
            } catch (ConnectException e) {
                Thread.sleep(20);
            }
        }
    }
}
