package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.access.Role;
import org.plant4j.server.RunningServer.Reply;

/** Who may do what, and the audit log of it. */
class AccessIT {

    private static final String NOTE = "Admitted with heart failure and secret-word hypertension.";

    @TempDir
    static Path directory;

    private static RunningServer server;
    private static String ana;
    private static String eve;
    private static String root;

    @BeforeAll
    static void start() {
        InMemoryAccessTokenStore tokens = new InMemoryAccessTokenStore();
        ana = "Bearer " + tokens.create("ana", Role.CODER);
        eve = "Bearer " + tokens.create("eve", Role.CODER);
        root = "Bearer " + tokens.create("root", Role.ADMIN);
        ServerSettings plain = RunningServer.SETTINGS;
        ServerSettings settings = new ServerSettings(
                plain.host(),
                0,
                true,
                plain.limits(),
                new ServerSettings.Proxies(Set.of("127.0.0.1"), Optional.of(URI.create("https://coding.example.org"))),
                Optional.of(directory.resolve("audit.jsonl")),
                List.of());
        server = new RunningServer(settings, tokens);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void codersReadOnlyTheirOwnReviewsAndEverythingIsAudited() throws IOException {
        ObjectNode review = ReviewsIT.review(server, "enc-7", NOTE, "Authorization", ana);
        Reply stored = server.post(
                "/api/reviews",
                review.toString(),
                "Authorization",
                ana,
                "X-Forwarded-For",
                "6.6.6.6",
                "X-Forwarded-For",
                "192.0.2.9");
        assertThat(stored.status()).as(stored.body()).isEqualTo(201);
        String path = "/api/reviews/" + stored.json().get("id").asText();
        assertThat(server.get(path, "Authorization", eve).status()).isEqualTo(404);
        assertThat(server.get(path, "Authorization", ana).status()).isEqualTo(200);
        assertThat(server.get(path, "Authorization", root).status()).isEqualTo(200);
        assertThat(server.get("/api/reviews", "Authorization", eve).json()).isEmpty();
        assertThat(server.get("/api/reviews?document=enc-7", "Authorization", ana)
                        .json())
                .hasSize(1);
        assertThat(server.get("/api/reviews?document=enc-7", "Authorization", root)
                        .json())
                .hasSize(1);
        String bundle = "/fhir/Bundle/" + stored.json().get("id").asText();
        assertThat(server.get(bundle, "Authorization", eve).status()).isEqualTo(404);
        assertThat(server.get(bundle, "Authorization", ana).status()).isEqualTo(200);
        assertThat(server.get(bundle, "Authorization", root).status()).isEqualTo(200);
        assertThat(server.get(bundle).status()).isEqualTo(401);
        assertThat(server.get("/fhir/Bundle?identifier=enc-7", "Authorization", eve)
                        .json()
                        .get("total")
                        .asInt())
                .isZero();
        assertThat(server.get("/api/reviews/export", "Authorization", eve).status())
                .isEqualTo(403);
        assertThat(server.get("/api/reviews").status()).isEqualTo(401);
        assertThat(server.get("/api/me", "Authorization", eve).body())
                .isEqualTo("{\"name\":\"eve\",\"role\":\"coder\",\"session\":false}");
        List<String> lines = Files.readAllLines(directory.resolve("audit.jsonl"));
        assertThat(lines)
                .anyMatch(line -> line.contains("\"user\":\"ana\",\"address\":\"192.0.2.9\","
                        + "\"action\":\"POST /api/reviews\",\"status\":201,\"document\":\"enc-7\""))
                .anyMatch(line -> line.contains("\"user\":\"eve\"")
                        && line.contains("\"GET /api/reviews/{id}\",\"status\":404,\"document\":\"\""))
                .anyMatch(line -> line.contains("\"user\":\"root\"")
                        && line.contains("\"GET /api/reviews/{id}\",\"status\":200,\"document\":\"enc-7\""))
                .anyMatch(line -> line.contains("\"user\":\"root\"")
                        && line.contains("\"GET /fhir/Bundle/{id}\",\"status\":200,\"document\":\"enc-7\""))
                .anyMatch(line -> line.contains("\"user\":\"eve\"")
                        && line.contains("\"GET /fhir/Bundle\",\"status\":200,\"document\":\"\""))
                .anyMatch(line -> line.contains("\"user\":\"\"") && line.contains("\"status\":401"))
                .allMatch(line -> !line.contains("secret-word"));
    }

    @Test
    void idsThatLookLikeTextAreAuditedAsDigests() throws IOException {
        String body =
                "{\"documents\": [{\"id\": \"John Doe has gout\", \"text\": \"Gout.\"}, {\"id\": \"d2\", \"text\": \"Gout.\"}]}";
        assertThat(server.post("/api/code", body, "Authorization", ana).status())
                .isEqualTo(200);
        assertThat(Files.readAllLines(directory.resolve("audit.jsonl")))
                .anyMatch(line -> line.contains("\"document\":\"sha256:747beb0c785ae6c78cf246dc, d2\""))
                .noneMatch(line -> line.contains("John Doe"));
    }

    @Test
    void aPageNeverActsForSomebodyWhoSignedInLater() {
        String review =
                ReviewsIT.review(server, "enc-8", NOTE, "Authorization", ana).toString();
        Reply asEve = server.post("/api/reviews", review, "Authorization", eve, "Expected-User", "ana");
        assertThat(asEve.status()).isEqualTo(403);
        assertThat(asEve.json().get("remedy").asText()).contains("reload the page");
        Reply asAna = server.post("/api/reviews", review, "Authorization", ana, "Expected-User", "ana");
        assertThat(asAna.status()).as(asAna.body()).isEqualTo(201);
    }

    @Test
    void thePublicUrlIsTheBaseOfFhirWhateverTheHeadersSay() {
        String url = server.get(
                        "/fhir/metadata",
                        "Authorization",
                        ana,
                        "X-Forwarded-Host",
                        "evil.example",
                        "Forwarded",
                        "host=e")
                .json()
                .at("/implementation/url")
                .asText();
        assertThat(url).isEqualTo("https://coding.example.org/fhir");
        assertThat(server.get("/api/model", "Authorization", ana, "Origin", "https://coding.example.org")
                        .status())
                .isEqualTo(200);
        assertThat(server.get("/api/model", "Authorization", ana, "Origin", "https://evil.example")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void behindAProxyNothingIsAnonymousEvenWithoutForwardingHeaders() {
        ServerSettings plain = RunningServer.SETTINGS;
        for (ServerSettings.Proxies proxies : List.of(
                new ServerSettings.Proxies(Set.of(), Optional.of(URI.create("https://coding.example.org"))),
                new ServerSettings.Proxies(Set.of("10.0.0.1"), Optional.empty()))) {
            ServerSettings settings =
                    new ServerSettings(plain.host(), 0, true, plain.limits(), proxies, Optional.empty(), List.of());
            try (RunningServer published = new RunningServer(settings, new InMemoryAccessTokenStore())) {
                assertThat(published.get("/api/reviews").status()).isEqualTo(401);
            }
        }
    }

    @Test
    void aSlowHeadTimesOut() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(300);
            long start = System.nanoTime();
            socket.getOutputStream().write("GET /api/model HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            boolean open = true;
            while (open && System.nanoTime() - start < 20_000_000_000L) {
                try {
                    socket.getOutputStream().write("X: y\r\n".getBytes(StandardCharsets.US_ASCII));
                    open = socket.getInputStream().read() >= 0;
                } catch (java.net.SocketTimeoutException e) {
                    // still open
                } catch (IOException e) {
                    open = false;
                }
            }
            assertThat(open).isFalse();
        }
    }

    @Test
    void workOfClientsThatHungUpIsDropped() throws Exception {
        String text = "heart failure with oedema ".repeat(700);
        assertDropped("/api/code", "application/json", "{\"text\": \"" + text + "\", \"codes\": 200}");
        assertDropped("/fhir/$code", "application/fhir+json", """
                {"resourceType": "DocumentReference", "status": "current", "content": [{"attachment":
                {"contentType": "text/plain", "data": "%s"}}]}
                """.formatted(
                        Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
    }

    private static void assertDropped(String path, String type, String body) throws IOException {
        server.post("/api/code", "{\"text\": \"gout\"}", "Authorization", ana); // warm-up
        for (int i = 0; i < 60; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                socket.getOutputStream()
                        .write(("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type
                                        + "\r\nAuthorization: " + ana + "\r\nContent-Length: " + body.length()
                                        + "\r\n\r\n" + body)
                                .getBytes(StandardCharsets.US_ASCII));
            }
        }
        String dropped = "route=\"" + path + "\",status=\"499\"";
        String metrics = "";
        for (int i = 0; i < 500 && !metrics.contains(dropped); i++) { // other threads may still read the requests
            assertThat(server.post("/api/code", "{\"text\": \"gout\"}", "Authorization", ana)
                            .status())
                    .isEqualTo(200);
            metrics = server.server.metrics().toPrometheusText();
        }
        assertThat(metrics).contains(dropped);
    }

    @Test
    void theAuditLogNamesWhoWasRefusedAndTheDocumentsOfFhirAndExports() throws IOException {
        server.get("/api/reviews/export", "Authorization", eve);
        server.get("/api/reviews/export", "Authorization", root);
        server.get("/api/model", "Authorization", ana, "Origin", "https://evil.example");
        server.post("/fhir/$code", """
                {"resourceType": "DocumentReference", "id": "letter-9", "status": "current", "content": [{"attachment":
                {"contentType": "text/plain", "data": "SGVhcnQgZmFpbHVyZS4="}}]}
                """, "Authorization", ana);
        assertThat(Files.readAllLines(directory.resolve("audit.jsonl")))
                .anyMatch(line -> line.contains("\"user\":\"eve\"")
                        && line.contains("\"GET /api/reviews/export\",\"status\":403"))
                .anyMatch(line -> line.contains("\"user\":\"root\"")
                        && line.contains("\"GET /api/reviews/export\",\"status\":200,\"document\":\"*\""))
                .anyMatch(line -> line.contains("\"action\":\"GET other\",\"status\":403"))
                .anyMatch(line -> line.contains(
                        "\"POST /fhir/$code\",\"status\":200,\"document\":\"DocumentReference/letter-9\""));
    }
}
