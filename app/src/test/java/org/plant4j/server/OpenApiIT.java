package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.Review;
import org.plant4j.review.worklist.Claimant;
import org.plant4j.review.worklist.IncomingEncounter;
import org.plant4j.server.RunningServer.Reply;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Route;

/** The OpenAPI description matches the server: routes, errors, and examples that can be sent as they are. */
class OpenApiIT {

    private static RunningServer server;
    private static JsonNode api;

    @BeforeAll
    static void open() {
        server = new RunningServer();
        api = OpenApiContract.CURRENT.description();
    }

    @AfterAll
    static void close() {
        server.close();
    }

    /** The described operations, such as {@code get /api/me}. */
    private static Map<String, JsonNode> operations() {
        Map<String, JsonNode> operations = new TreeMap<>();
        api.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(method -> operations.put(method.getKey() + " " + path.getKey(), method.getValue())));
        return operations;
    }

    @Test
    void describesExactlyTheRoutesOfTheServer() {
        Set<String> served = new TreeSet<>();
        server.server.routes().forEach(route -> served.add(operation(route)));
        assertThat(operations().keySet()).isEqualTo(served);
        assertThat(server.get("/openapi.json").json()).isEqualTo(api);
    }

    private static String operation(Route route) {
        return route.method().toString().toLowerCase(Locale.ROOT) + " " + route.template();
    }

    @Test
    void describesSecurityAndErrorsOfEveryRoute() {
        List<String> missing = new ArrayList<>();
        for (Route route : server.server.routes()) {
            JsonNode described = Objects.requireNonNull(operations().get(operation(route)), operation(route));
            boolean login = route.requiredRole() == RequiredRole.LOGIN;
            boolean open = login || route.requiredRole() == RequiredRole.NONE;
            if (described.has("security") != open) {
                missing.add(operation(route) + (open ? ": add \"security\": []" : ": remove \"security\""));
            }
            Set<String> statuses = new TreeSet<>(OpenApiContract.COMMON.keySet());
            if (!open) {
                statuses.addAll(List.of("401", "429"));
            }
            if (login) {
                statuses.add("429");
            } else if (route.method().toString().equals("POST")) {
                statuses.addAll(List.of("408", "413", "415", "422"));
            }
            statuses.removeIf(each -> described.path("responses").has(each));
            statuses.forEach(each -> missing.add(operation(route) + ": add to \"responses\": \"" + each
                    + "\": {\"$ref\": \"#/components/responses/"
                    + OpenApiContract.COMMON.getOrDefault(each, "…") + "\"}"));
        }
        assertThat(missing).as("what openapi.json lacks").isEmpty();
    }

    @Test
    void everyOperationHasAUniqueNameAndEveryReferenceATarget() {
        Set<String> names = new HashSet<>();
        operations()
                .forEach((name, described) -> assertThat(
                                described.path("operationId").asText())
                        .as("operationId of " + name)
                        .matches("[a-z][A-Za-z]+")
                        .satisfies(each -> assertThat(names.add(each)).isTrue()));
        api.findValuesAsText("$ref")
                .forEach(ref -> assertThat(api.at(ref.substring(1)).isMissingNode())
                        .as(ref)
                        .isFalse());
    }

    @Test
    void describedExamplesMatchTheirSchemas() {
        operations()
                .forEach((name, described) -> described.path("responses").properties().stream()
                        .filter(response -> response.getValue()
                                .at("/content/application~1json")
                                .has("example"))
                        .forEach(response -> OpenApiContract.CURRENT.check(
                                name.split(" ", 2)[0].toUpperCase(Locale.ROOT),
                                name.split(" ", 2)[1].replaceAll("[{}]", ""),
                                Integer.parseInt(response.getKey()),
                                "application/json",
                                response.getValue()
                                        .at("/content/application~1json/example")
                                        .toString())));
    }

    /** Sends the example of every operation; state that an example needs is created before. */
    @Test
    void everyOperationAnswersItsExample() {
        Map<String, String> made = madeExamples();
        List<String> failed = new ArrayList<>();
        Map<String, JsonNode> operations = operations();
        server.server.routes().stream()
                .filter(route -> route.requiredRole() == RequiredRole.LOGIN) // needs a provider; see LoginIT
                .forEach(route -> operations.remove(operation(route)));
        operations.forEach((name, described) -> {
            Reply reply = send(name, described, made);
            if (reply.status() >= 300) {
                failed.add(name + " answered its example with " + reply.status() + ": " + reply.body());
            }
        });
        assertThat(failed)
                .as("add an \"example\" that the server accepts to the parameters and the request body in openapi.json,"
                        + " or create what it needs in madeExamples()")
                .isEmpty();
    }

    /** Adds an encounter to the worklist that somebody else has coded; returns the id of the review. */
    private static String codedEncounter() {
        List<SourceDocument> documents = List.of(new SourceDocument("a", "", "Gout."));
        server.worklist.add(new IncomingEncounter("claimed", Optional.empty(), documents), "api");
        server.worklist.add(new IncomingEncounter("coded", Optional.empty(), documents), "api");
        Review review = new Review(
                Optional.of("coded"),
                Optional.empty(),
                documents,
                "v",
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty());
        server.worklist.claim("coded", new Claimant("ana", false));
        String id = server.worklist
                .code(review, "ana", false, () -> server.reviews.add(review, "ana", ""))
                .id();
        server.worklist.claim("coded", new Claimant("local", true));
        return id;
    }

    /** Values of path parameters, by {@code operation parameter}, and request bodies, by operation. */
    private static Map<String, String> madeExamples() {
        Map<String, String> made = new HashMap<>();
        String text = "Admitted with heart failure.";
        JsonNode coded =
                server.post("/api/code", "{\"text\": \"" + text + "\"}").json();
        ObjectNode review = new ObjectMapper().createObjectNode();
        review.withObjectProperty("encounter")
                .put("id", "encounter-17")
                .withArrayProperty("documents")
                .addObject()
                .put("id", "a")
                .put("text", text);
        review.set("version", coded.path("version"));
        review.withArrayProperty("decisions").addObject().put("code", "I10").put("decision", "added");
        Reply added = server.post("/api/reviews", review.toString());
        made.put("post /api/reviews", review.toString());
        made.put("get /api/reviews/{id} id", added.json().path("id").asText());
        made.put("get /fhir/Bundle/{id} id", added.json().path("id").asText());
        made.put("get /api/encounters/{id} id", "claimed");
        made.put("post /api/encounters/claim", "{\"id\": \"claimed\"}");
        made.put("post /api/encounters/release", "{\"id\": \"claimed\"}");
        made.put(
                "post /api/encounters/second-review",
                "{\"id\": \"coded\", \"review\": \"" + codedEncounter() + "\", \"changes\": []}");
        return made;
    }

    private static Reply send(String name, JsonNode described, Map<String, String> made) {
        String[] parts = name.split(" ", 2);
        String path = parts[1];
        String query = "";
        for (JsonNode parameter : described.path("parameters")) {
            String parameterName = parameter.path("name").asText();
            String value = URLEncoder.encode(
                    made.getOrDefault(
                            name + " " + parameterName,
                            parameter.path("example").asText()),
                    StandardCharsets.UTF_8);
            if (parameter.path("in").asText().equals("path")) {
                path = path.replace("{" + parameterName + "}", value);
            } else if (parameter.path("in").asText().equals("query")
                    && parameter.path("required").asBoolean()) {
                query = "?" + parameterName + "=" + value;
            }
        }
        HttpRequest.Builder request = server.request(path + query);
        described.at("/requestBody/content").properties().stream()
                .findFirst()
                .ifPresent(content -> request.header("Content-Type", content.getKey())
                        .POST(HttpRequest.BodyPublishers.ofString(made.getOrDefault(
                                name, content.getValue().path("example").toString()))));
        return server.send(request);
    }
}
