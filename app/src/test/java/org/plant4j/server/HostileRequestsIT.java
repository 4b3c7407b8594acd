package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.access.Role;
import org.plant4j.server.RunningServer.Reply;

/** Malformed, oversized, slow and malicious requests. */
class HostileRequestsIT {

    private static final InMemoryAccessTokenStore TOKENS = new InMemoryAccessTokenStore();

    private static RunningServer open;
    private static RunningServer locked;
    private static String coder;
    private static String admin;

    @BeforeAll
    static void start() {
        coder = "Bearer " + TOKENS.create("maria", Role.CODER);
        admin = "Bearer " + TOKENS.create("root", Role.ADMIN);
        open = new RunningServer();
        locked = new RunningServer(RunningServer.SETTINGS, TOKENS);
    }

    @AfterAll
    static void stop() {
        open.close();
        locked.close();
    }

    private static void assertRejected(Reply reply, int status) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.json().get("error").asText()).isNotEmpty();
        assertThat(reply.json().get("where").asText()).isNotEmpty();
        assertThat(reply.json().get("remedy").asText()).isNotEmpty();
        assertThat(reply.body()).doesNotContain("Exception", "org.plant4j", "secret-word");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/model",
                "/api/samples",
                "/api/codes?q=a",
                "/api/codes/I10",
                "/api/reviews",
                "/metrics",
                "/report",
                "/api/reviews/export"
            })
    void requiresATokenOnceOneExists(String path) {
        Reply reply = locked.get(path);
        assertRejected(reply, 401);
        assertThat(reply.header("WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(locked.get(path, "Authorization", coder).status()).isNotEqualTo(401);
    }

    @Test
    void rejectsInvalidTokens() {
        assertRejected(locked.get("/api/model", "Authorization", "Bearer wrong"), 401);
        assertRejected(locked.get("/api/model", "Authorization", "Basic cm9vdDpyb290"), 401);
        assertRejected(locked.get("/api/model", "Authorization", "Bearer " + "x".repeat(5000)), 401);
        assertRejected(locked.post("/api/code", "{\"text\": \"secret-word\"}"), 401);
        assertThat(locked.get("/api/health").status()).isEqualTo(200);
    }

    @Test
    void aCoderCannotExport() {
        assertRejected(locked.get("/api/reviews/export", "Authorization", coder), 403);
        assertThat(locked.get("/api/reviews/export", "Authorization", admin).status())
                .isEqualTo(200);
    }

    @Test
    void rejectsLargeBodiesAndTexts() {
        assertRejected(open.post("/api/code", "{\"text\": \"" + "a ".repeat(1_000_000) + "\"}"), 413);
        assertRejected(open.post("/api/code", "{\"text\": \"" + "word ".repeat(5_000) + "\"}"), 413);
        byte[] large = new byte[2_000_000];
        Arrays.fill(large, (byte) ' ');
        assertRejected(
                open.send(open.request("/api/code")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(large)))),
                413);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"text\": \"secret-word",
                "[1,2",
                "nonsense",
                "{\"text\":\"a\"} trailing",
                "{\"text\":\"a\",\"text\":\"b\"}"
            })
    void rejectsInvalidJson(String body) {
        assertRejected(open.post("/api/code", body), 400);
    }

    @Test
    void rejectsInvalidFhir() {
        assertOutcome(open.post("/fhir/$code", "{"), 400, "structure");
        assertOutcome(open.post("/fhir/$code", "{\"resourceType\": \"Nonsense\"}"), 422, "processing");
        assertOutcome(locked.post("/fhir/$code", "{}"), 401, "login");
        assertOutcome(open.get("/fhir/Patient"), 404, "not-found");
        assertOutcome(open.get("/fhir/$code"), 405, "not-supported");
        assertOutcome(open.post("/fhir/$code", "{}", "Origin", "https://evil.example"), 403, "forbidden");
        assertOutcome(open.get("/fhir/metadata", "X-Long", "y".repeat(40_000)), 431, "too-long");
        assertOutcome(
                open.send(open.request("/fhir/$code")
                        .header("Content-Type", "application/fhir+json; charset=x")
                        .POST(BodyPublishers.ofString("{}"))),
                415,
                "structure");
        assertThat(locked.get("/fhir/metadata").status()).isEqualTo(200);
    }

    @Test
    void fhirRequestsHaveLimits() {
        String call = "{\"request\": {\"method\": \"POST\", \"url\": \"$code\"}}";
        String batch = "{\"resourceType\": \"Bundle\", \"type\": \"batch\", \"entry\": [%s]}";
        String most = batch.formatted(String.join(",", Collections.nCopies(100, call)));
        assertThat(open.post("/fhir", most).status()).isEqualTo(200);
        assertOutcome(
                open.post("/fhir", batch.formatted(String.join(",", Collections.nCopies(101, call)))), 413, "too-long");
        String reference = "{\"resource\": {\"resourceType\": \"DocumentReference\", \"status\": \"current\","
                + " \"content\": [{\"attachment\": {\"url\": \"Binary/b\"}}]}},";
        String shared = batch.replace("batch", "collection")
                .formatted(reference.repeat(1000)
                        + "{\"resource\": {\"resourceType\": \"Binary\", \"id\": \"b\", \"contentType\": \"text/plain\","
                        + " \"data\": \"" + "QUFB".repeat(25_000) + "\"}}");
        assertOutcome(open.post("/fhir/$code", shared), 413, "too-long");
        assertOutcome(open.post("/fhir/$add-to-worklist", shared), 413, "too-long");
    }

    private static void assertOutcome(Reply reply, int status, String code) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.header("Content-Type")).startsWith("application/fhir+json");
        assertThat(reply.json().get("resourceType").asText()).isEqualTo("OperationOutcome");
        assertThat(reply.json().at("/issue/0/code").asText()).isEqualTo(code);
        assertThat(reply.json().at("/issue/0/details/text").asText()).isNotEmpty();
    }

    @Test
    void rejectsDeeplyNestedJson() {
        assertRejected(open.post("/api/code", "[".repeat(100_000)), 400);
    }

    @Test
    void rejectsInvalidUtf8() {
        byte[] body = "{\"text\": \"caf\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
        assertRejected(
                open.send(open.request("/api/code")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(body))),
                400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{}",
                "\"text\"",
                "{\"text\": 5}",
                "{\"text\": \"\"}",
                "{\"text\": \"  1234 !\"}",
                "{\"txt\": \"secret-word\"}",
                "{\"text\": \"a\", \"  \": 1}",
                "{\"text\": \"a\", \"codes\": 0}",
                "{\"text\": \"a\", \"codes\": 201}",
                "{\"text\": \"a\", \"codes\": \"9\"}",
                "{\"text\": \"a\", \"documents\": []}",
                "{\"documents\": []}",
                "{\"documents\": [1]}",
                "{\"documents\": [{\"id\": \"a\"}]}",
                "{\"text\": \"half \\ud800 a character\"}",
                "{\"text\": \"nul \\u0000\"}",
                "{\"documents\": [{\"id\": \"a\", \"text\": \"x\"}, {\"id\": \"a\", \"text\": \"y\"}]}"
            })
    void rejectsInvalidFieldsWithTheirPath(String body) {
        assertRejected(open.post("/api/code", body), 422);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/xml"})
    void rejectsUnsupportedContentTypes(String type) {
        assertRejected(
                open.send(open.request("/api/code")
                        .header("Content-Type", type)
                        .POST(BodyPublishers.ofString("{\"text\": \"secret-word\"}"))),
                415);
    }

    @ParameterizedTest
    @CsvSource({"charset=x, 415", "charset=\"unknown, 415", "charset=ISO-8859-1, 415", "charset=UTF-8, 200"})
    void onlyUtf8IsAccepted(String charset, int status) {
        Reply reply = open.send(open.request("/api/code")
                .header("Content-Type", "application/json; " + charset)
                .POST(BodyPublishers.ofString("{\"text\": \"heart failure\"}")));
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    }

    @Test
    void aScriptInANoteIsReturnedAsData() {
        Reply reply = open.post(
                "/api/code", "{\"documents\": [{\"id\": \"<script>alert(1)</script>\", \"text\": \"heart failure\"}]}");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Content-Type")).startsWith("application/json");
        assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(reply.header("Content-Security-Policy")).startsWith("default-src 'none'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'%20OR%201=1%20--",
                "%22%3B%20DROP%20TABLE%20reviews%3B--",
                "*:*",
                "words:[*%20TO%20*]",
                "%2B%2B((((",
                "%00",
                "%F0%9F%A9%BA",
                "a%20AND",
                "%5B",
                "%7E2",
                "I10%5E99999999"
            })
    void searchSyntaxIsNotInterpreted(String query) {
        Reply reply = open.get("/api/codes?limit=5&q=" + query);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.json().isArray()).isTrue();
    }

    @Test
    void rejectsInvalidSearchParameters() {
        assertRejected(open.get("/api/codes"), 422);
        assertRejected(open.get("/api/codes?q="), 422);
        assertRejected(open.get("/api/codes?q=" + "x".repeat(300)), 422);
        assertRejected(open.get("/api/codes?q=a&limit=1000"), 422);
        assertRejected(open.get("/api/codes?q=a&limit=-1"), 422);
        assertRejected(open.get("/api/codes?q=a&limit=many"), 422);
    }

    @ParameterizedTest
    @CsvSource({
        "/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd", "/web/../CodingServer.class",
        "/CodingServer.class", "/openapi.json%00.html", "/....//etc/passwd", "/api/reviews/..%2f..%2fetc%2fpasswd",
        "/%5c..%5c..%5cboot.ini", "/manifest.mf", "/api/codes/..%2F..%2Fsecret;x=1"
    })
    void rejectsPathTraversal(String path) throws IOException {
        String answer = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(answer)
                .matches("(?s)HTTP/1.1 (400|404) .*")
                .contains("\"remedy\"")
                .doesNotContain("root:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "PATCH", "TRACE", "OPTIONS"})
    void rejectsOtherMethods(String method) throws IOException {
        String answer = raw(method
                + " /api/code HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nOrigin: http://localhost\r\n\r\n");
        assertThat(answer).matches("(?s)HTTP/1.1 (404|405|501) .*").doesNotContain("Access-Control-Allow");
    }

    @ParameterizedTest
    @CsvSource({
        "/, 200",
        "/main.js, 200",
        "/api/health, 200",
        "/api/codes/I10, 200",
        "/fhir/metadata, 200",
        "/nothing, 404",
        "/nothing.html, 404",
        "/api/nothing, 404",
        "/api/codes/Q99.999, 404",
        "/api/reviews/nothing, 404",
        "/api/code, 405"
    })
    void headAnswersLikeGetWithoutABody(String path, int status) {
        Reply reply = open.send(open.request(path).method("HEAD", BodyPublishers.noBody()));
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.body()).isEmpty();
        assertThat(open.get(path).status()).isEqualTo(status);
        Reply anonymous = locked.send(locked.request(path).method("HEAD", BodyPublishers.noBody()));
        assertThat(anonymous.status()).isEqualTo(locked.get(path).status());
    }

    @Test
    void rejectsCrossOriginRequestsAndForeignHosts() throws IOException {
        assertRejected(open.get("/api/model", "Origin", "https://evil.example"), 403);
        assertRejected(open.get("/api/model", "Origin", "null"), 403);
        String rebound = raw("GET /api/model HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
        assertThat(rebound).startsWith("HTTP/1.1 421 ");
        assertThat(open.get("/api/model", "Origin", "http://127.0.0.1:" + open.server.port())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aStalledBodyTimesOut() throws IOException {
        long start = System.nanoTime();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), open.server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(ascii("POST /api/code HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 1000\r\n\r\n{\"text\": \""));
            out.flush();
            String answer = read(socket);
            assertThat(answer).startsWith("HTTP/1.1 408 ");
        }
        assertThat((System.nanoTime() - start) / 1e9).isLessThan(10);
    }

    @Test
    void aSlowBodyTimesOut() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), open.server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(ascii("POST /api/code HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 1000\r\n\r\n{\"text\": \""));
            for (int i = 0; i < 30 && socket.getInputStream().available() == 0; i++) {
                out.write('a');
                out.flush();
                Thread.sleep(200);
            }
            assertThat(read(socket)).startsWith("HTTP/1.1 408 ");
        }
    }

    @Test
    void rejectsLargeHeaders() {
        assertRejected(open.get("/api/model", "X-Long", "y".repeat(40_000)), 431);
    }

    @Test
    void rejectsInvalidReviews() {
        String review =
                "{\"encounter\": {\"documents\": [{\"id\": \"a\", \"text\": \"heart failure\"}]}, \"version\": \"v\","
                        + " \"decisions\": [%s]}";
        for (String decision : new String[] {
            "{\"code\": \"NOPE\", \"decision\": \"added\"}",
            "{\"code\": \"I10\", \"decision\": \"liked\"}",
            "{\"code\": \"I10\", \"decision\": \"changed\"}",
            "{\"code\": \"I10\", \"decision\": \"added\", \"from\": \"I50.9\"}",
            "{\"code\": \"I10\", \"decision\": \"added\", \"evidence\": [{\"document\": \"b\", \"start\": 0, \"end\": 1}]}",
            "{\"code\": \"I10\", \"decision\": \"added\", \"evidence\": [{\"document\": \"a\", \"start\": 5, \"end\": 99}]}",
            "{\"code\": \"I10\", \"decision\": \"added\"}, {\"code\": \"I10\", \"decision\": \"rejected\"}"
        }) {
            assertRejected(open.post("/api/reviews", review.replace("%s", decision)), 422);
        }
        assertRejected(open.post("/api/reviews", "{\"version\": \"v\"}"), 422);
        assertRejected(open.get("/api/reviews/1%27%20OR%201=1"), 404);
    }

    @Test
    void pagesHaveAStrictContentSecurityPolicy() {
        String policy = open.get("/").header("Content-Security-Policy");
        assertThat(policy).contains("default-src 'none'").doesNotContain("unsafe", "*", "http");
        assertThat(open.get("/api").header("Content-Security-Policy")).doesNotContain("script");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), open.server.port())) {
            socket.getOutputStream().write(ascii(request));
            socket.getOutputStream().flush();
            return read(socket);
        }
    }

    private static String read(Socket socket) throws IOException {
        socket.setSoTimeout(15_000);
        InputStream in = socket.getInputStream();
        byte[] some = new byte[8192];
        int length = in.read(some);
        StringBuilder all = new StringBuilder();
        while (length > 0) {
            all.append(new String(some, 0, length, StandardCharsets.UTF_8));
            if (all.indexOf("remedy") >= 0) {
                break;
            }
            length = in.read(some);
        }
        return all.toString();
    }
}
