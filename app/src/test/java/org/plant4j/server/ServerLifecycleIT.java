package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.access.Role;
import org.plant4j.server.RunningServer.Reply;

/** Start, shutdown and overload of the server. */
class ServerLifecycleIT {

    private static ServerSettings settings(String host, int queue, boolean keepText) {
        return new ServerSettings(host, 0, keepText, new ServerSettings.Limits(20_000, queue, 4, 0, 5));
    }

    @Test
    void aPublicAddressRequiresAToken() {
        UserError error = catchThrowableOfType(
                UserError.class,
                () -> new RunningServer(settings("0.0.0.0", 10, true), new InMemoryAccessTokenStore()));
        assertThat(error.remedy()).contains("plant token create");
        InMemoryAccessTokenStore tokens = new InMemoryAccessTokenStore();
        String secret = tokens.create("maria", Role.CODER);
        try (RunningServer server = new RunningServer(settings("0.0.0.0", 10, true), tokens)) {
            assertThat(server.get("/api/model").status()).isEqualTo(401);
            assertThat(server.get("/api/model", "Authorization", "Bearer " + secret)
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aPortInUseIsReported() {
        try (RunningServer server = new RunningServer()) {
            ServerSettings same = new ServerSettings(
                    "127.0.0.1", server.server.port(), true, new ServerSettings.Limits(100, 1, 1, 0, 5));
            UserError error = catchThrowableOfType(
                    UserError.class, () -> new RunningServer(same, new InMemoryAccessTokenStore()));
            assertThat(error.remedy()).contains("--port");
        }
    }

    @Test
    void aFullQueueRejectsAndClosingAnswersAcceptedRequests() {
        ExecutorService clients = Executors.newFixedThreadPool(24);
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        RunningServer server = new RunningServer(settings("127.0.0.1", 3, true), new InMemoryAccessTokenStore());
        String note = "{\"text\": \"" + "heart failure with oedema and cough ".repeat(400) + "\", \"codes\": 200}";
        server.post("/api/code", note); // warm-up
        for (int i = 0; i < 24; i++) {
            replies.add(CompletableFuture.supplyAsync(() -> server.post("/api/code", note), clients));
        }
        CompletableFuture.anyOf(replies.toArray(CompletableFuture[]::new)).join();
        server.close();
        List<Integer> statuses = new ArrayList<>();
        for (CompletableFuture<Reply> reply : replies) {
            // Connections after the shutdown are refused; accepted requests are answered.
            statuses.add(
                    reply.handle((got, gone) -> gone == null ? got.status() : 0).join());
        }
        clients.shutdown();
        Matcher coded = Pattern.compile("plant_batch_documents_sum ([0-9]+)")
                .matcher(server.server.metrics().toPrometheusText());
        assertThat(coded.find()).isTrue();
        long answered = statuses.stream().filter(status -> status == 200).count();
        assertThat(Long.parseLong(coded.group(1))).isEqualTo(answered + 1); // plus the warm-up request
        assertThat(statuses)
                .contains(200)
                .allMatch(status -> List.of(0, 200, 429, 503).contains(status));
        replies.stream()
                .filter(reply -> !reply.isCompletedExceptionally())
                .map(CompletableFuture::join)
                .filter(reply -> reply.status() == 429)
                .forEach(reply -> assertThat(Integer.parseInt(reply.header("Retry-After")))
                        .isPositive());
    }

    @Test
    void exportRequiresTexts() {
        try (RunningServer server =
                new RunningServer(settings("127.0.0.1", 10, false), new InMemoryAccessTokenStore())) {
            Reply reply = server.get("/api/reviews/export");
            assertThat(reply.status()).isEqualTo(409);
            assertThat(reply.json().get("remedy").asText()).contains("--keep-text");
            assertThat(server.get("/api/model").json().get("keepsText").asBoolean())
                    .isFalse();
        }
    }

    @Test
    void limitsTheRequestRate() {
        ServerSettings slow = new ServerSettings("127.0.0.1", 0, true, new ServerSettings.Limits(100, 10, 4, 1, 5));
        try (RunningServer server = new RunningServer(slow, new InMemoryAccessTokenStore())) {
            List<Integer> statuses = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                statuses.add(server.get("/api/model").status());
            }
            assertThat(statuses).contains(200, 429);
        }
    }
}
