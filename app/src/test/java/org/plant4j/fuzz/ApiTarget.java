package org.plant4j.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.server.RunningServer;
import org.plant4j.server.RunningServer.Reply;

/** The HTTP interface: odd bodies, content types, headers, paths and sizes. */
final class ApiTarget implements FuzzTarget {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** In every body, and never in an error. */
    private static final String SECRET = "Secretword";

    /** Documented answers to a request that cannot be served. */
    private static final Set<Integer> REFUSALS = Set.of(400, 403, 404, 405, 408, 409, 413, 414, 415, 421, 422, 431);

    private static final List<String> CODING = List.of(
            "{\"text\": \"Patient with heart failing at home. Secretword\"}",
            "{\"text\": \"Sugar raised, Secretword\", \"codes\": 2}",
            "{\"documents\": [{\"id\": \"a\", \"title\": \"Note\", \"text\": \"Secretword wheezing\"}, {\"text\": \"kidney\"}]}");

    private static final List<String> FHIR_FIELDS =
            List.of("/issue/0/severity", "/issue/0/code", "/issue/0/details/text", "/issue/0/diagnostics");
    private static final String BATCH =
            "{\"documents\": [{\"id\": \"1\", \"text\": \"Secretword heart\"}, {\"text\": \"sugar\"}], \"codes\": 3}";
    private static final String EXPLANATION = "{\"text\": \"Secretword heart failing\", \"code\": \"I50.9\"}";
    private static final String REVIEW = "{\"encounter\": {\"id\": \"e\", \"documents\": [{\"id\": \"a\", \"text\":"
            + " \"Secretword heart\"}]}, \"version\": \"v\", \"shown\": [{\"code\": \"I50.9\", \"probability\": 0.5,"
            + " \"band\": \"review\"}], \"decisions\": [{\"code\": \"I50.9\", \"decision\": \"accepted\", \"evidence\":"
            + " [{\"document\": \"a\", \"start\": 0, \"end\": 4}]}], \"comment\": \"ok\"}";
    private static final String FHIR = "{\"resourceType\": \"DocumentReference\", \"status\": \"current\", \"content\":"
            + " [{\"attachment\": {\"contentType\": \"text/plain\", \"data\": \"SGVhcnQgZmFpbGluZw==\"}}]}";

    private final RunningServer server;
    private final RawHttp raw;

    ApiTarget(Path directory) {
        server = new RunningServer(new RunDirectory(TinyRuns.in(directory).train("linear")));
        raw = new RawHttp(server.port());
    }

    @Override
    public String name() {
        return "api";
    }

    @Override
    public void close() {
        server.close();
    }

    @Override
    public Outcome test(FuzzInput input) throws IOException {
        return switch (input.below(10)) {
            case 0, 1 -> rewritten(input);
            case 2, 3, 4, 5 -> mutated(input);
            case 6 -> damaged(input);
            case 7 -> oddContentType(input);
            case 8 -> oddPath(input);
            default -> classify(raw.send(input), input);
        };
    }

    /** The same JSON written in another way has the same answer. */
    private Outcome rewritten(FuzzInput input) throws JsonProcessingException {
        String body = input.pick(CODING);
        String other = JsonWriter.write(JSON.readTree(body), input);
        input.step("POST /api/code " + other);
        Reply reply = post("/api/code", other.getBytes(StandardCharsets.UTF_8), "application/json");
        SilentDifference.check(200 + server.post("/api/code", body).body(), reply.status() + reply.body());
        return Outcome.SAME;
    }

    private Outcome mutated(FuzzInput input) throws JsonProcessingException {
        String path = input.pick("/api/code", "/api/code/batch", "/api/explain", "/api/reviews", "/fhir/$code");
        JsonNode body = JSON.readTree(body(path, input));
        for (int n = input.between(1, 2); n > 0; n--) {
            body = JsonMutator.mutate(body, input);
        }
        String json = JsonWriter.write(body, input);
        input.step("POST " + path + " " + json);
        return classify(post(path, json.getBytes(StandardCharsets.UTF_8), "application/json"));
    }

    private static String body(String path, FuzzInput input) {
        return switch (path) {
            case "/api/code" -> input.pick(CODING);
            case "/api/code/batch" -> BATCH;
            case "/api/explain" -> EXPLANATION;
            case "/api/reviews" -> REVIEW;
            default -> FHIR;
        };
    }

    private Outcome damaged(FuzzInput input) {
        byte[] body = ByteMutator.mutate(input.pick(CODING).getBytes(StandardCharsets.UTF_8), input);
        input.step("POST /api/code " + new String(body, StandardCharsets.UTF_8));
        return classify(post("/api/code", body, "application/json"));
    }

    private Outcome oddContentType(FuzzInput input) {
        String type = input.pick(
                "application/json; charset=utf-16",
                "application/json;charset=\"x",
                "APPLICATION/JSON",
                "application/json, text/html",
                "text/plain",
                "multipart/form-data; boundary=x",
                "application/x-www-form-urlencoded",
                "/",
                ";",
                "a".repeat(1000));
        input.step("POST /api/code as " + type);
        return classify(post("/api/code", input.pick(CODING).getBytes(StandardCharsets.UTF_8), type));
    }

    private Outcome oddPath(FuzzInput input) {
        String base =
                input.pick("/api/codes?q=", "/api/codes/", "/api/reviews/", "/api/codes?limit=3&q=a&", "/", "/fhir/");
        String path = base + encode(OddText.any(input, 300), input);
        input.step("GET " + path);
        return classify(server.get(path));
    }

    /** Percent-encodes a text, now and then not as UTF-8. */
    private static String encode(String text, FuzzInput input) {
        StringBuilder out = new StringBuilder();
        for (byte b : text.getBytes(input.pick(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE))) {
            boolean plain = b > 0 && Character.isLetterOrDigit(b);
            out.append(plain ? String.valueOf((char) b) : String.format("%%%02x", b));
        }
        return out.toString();
    }

    private Reply post(String path, byte[] body, String type) {
        HttpRequest.Builder request = server.request(path)
                .timeout(Duration.ofSeconds(20))
                .header("Content-Type", type)
                .POST(BodyPublishers.ofByteArray(body));
        try {
            return server.send(request);
        } catch (AssertionError e) {
            return server.send(request); // the server had just closed the connection that the client wanted to reuse
        }
    }

    /** A success, or a documented refusal that says what is wrong without quoting the document. */
    private static Outcome classify(Reply reply) {
        if (reply.status() / 100 == 2) {
            return Outcome.ACCEPTED;
        }
        if (!REFUSALS.contains(reply.status())) {
            throw new AssertionError("status " + reply.status() + ": " + reply.body());
        }
        boolean fhir = reply.json().path("resourceType").asText().equals("OperationOutcome");
        for (String field : fhir ? FHIR_FIELDS : List.of("/error", "/where", "/remedy")) {
            if (reply.json().at(field).asText().isBlank()) {
                throw new AssertionError("status " + reply.status() + " without " + field + ": " + reply.body());
            }
        }
        if (reply.body().contains(SECRET)) {
            throw new AssertionError("the error quotes the document: " + reply.body());
        }
        return Outcome.REFUSED;
    }

    /** Raw requests close their side of the connection, so the server may take the client for gone. */
    private static final int HALF_CLOSED = 499;

    private static Outcome classify(RawHttp.Answer answer, FuzzInput input) {
        if (answer.status() == 0) {
            return Outcome.REFUSED; // the connection was closed, which is all that a broken request deserves
        }
        if (answer.status() / 100 != 2
                && !REFUSALS.contains(answer.status())
                && answer.status() != HALF_CLOSED
                && answer.status() != 501
                && answer.status() != 505) {
            input.step("answer " + answer.text());
            throw new AssertionError("status " + answer.status());
        }
        return answer.status() / 100 == 2 ? Outcome.ACCEPTED : Outcome.REFUSED;
    }
}
