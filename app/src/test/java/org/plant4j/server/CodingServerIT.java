package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.plant4j.server.RunningServer.Reply;

/** The JSON and FHIR API, route by route. */
class CodingServerIT {

    private static final String NOTE =
            "Admitted with heart failure and essential hypertension. Treated with furosemide.";

    private static RunningServer server;

    @BeforeAll
    static void open() {
        server = new RunningServer();
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void codesATextWithRankedCodesAndEvidence() {
        Reply reply = server.post("/api/code", "{\"text\": \"" + NOTE + "\", \"codes\": 60}");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        JsonNode json = reply.json();
        assertThat(json.get("model").asText()).isEqualTo("linear@demo");
        assertThat(json.get("version").asText()).matches("[0-9a-f]{12}");
        assertThat(json.get("codes")).hasSize(60);
        List<Double> probabilities = new ArrayList<>();
        json.get("codes")
                .forEach(code -> probabilities.add(code.get("probability").asDouble()));
        assertThat(probabilities)
                .isSortedAccordingTo((a, b) -> Double.compare(b, a))
                .allMatch(p -> p >= 0 && p <= 1);
        JsonNode first = json.at("/codes/0");
        assertThat(first.get("description").asText()).isNotEmpty();
        assertThat(first.get("band").asText()).isIn("suggest", "review", "hidden");
        JsonNode span = first.at("/evidence/0");
        assertThat(span.get("document").asText()).isEqualTo("document");
        assertThat(NOTE.substring(span.get("start").asInt(), span.get("end").asInt()))
                .isNotBlank()
                .isEqualTo(span.get("text").asText());
        assertThat(span.get("traits").isArray()).isTrue();
        assertThat(json.get("inDomain").isBoolean()).isTrue();
        assertThat(first.get("predicted").asBoolean()).isTrue();
        assertThat(first.get("score").asDouble()).isBetween(0.0, 1.0);
        assertThat(json.at("/codes/50/evidence")).isEmpty();
    }

    @Test
    void codesAllDocumentsOfAnEncounterTogether() {
        Reply reply = server.post(
                "/api/code",
                "{\"documents\": [{\"id\": \"a\", \"title\": \"Admission\", \"text\": \"Essential hypertension.\"},"
                        + " {\"id\": \"b\", \"title\": \"Echo\", \"text\": \"Heart failure, furosemide.\"}]}");
        JsonNode together = reply.json();
        JsonNode joined = server.post(
                        "/api/code", "{\"text\": \"Essential hypertension.\\n\\nHeart failure, furosemide.\"}")
                .json();
        for (int i = 0; i < 10; i++) {
            assertThat(together.at("/codes/" + i + "/code")).isEqualTo(joined.at("/codes/" + i + "/code"));
        }
        List<String> named = together.findValuesAsText("document");
        assertThat(named).contains("a", "b").allMatch(document -> document.equals("a") || document.equals("b"));
        together.findValues("evidence")
                .forEach(evidence -> evidence.forEach(span -> assertThat(
                                span.get("end").asInt())
                        .isLessThanOrEqualTo(span.get("document").asText().equals("a") ? 23 : 26)));
    }

    @Test
    void aBatchReturnsTheSameAsSingleRequests() {
        JsonNode batch = server.post(
                        "/api/code/batch",
                        "{\"documents\": [{\"id\": \"x\", \"text\": \"" + NOTE
                                + "\"}, {\"id\": \"y\", \"text\": \"Seizure and gout.\"}]}")
                .json();
        JsonNode alone =
                server.post("/api/code", "{\"text\": \"Seizure and gout.\"}").json();
        assertThat(batch.at("/documents/0/id").asText()).isEqualTo("x");
        assertThat(batch.at("/documents/0/inDomain").isBoolean()).isTrue();
        assertThat(batch.at("/documents/1/codes/0/code")).isEqualTo(alone.at("/codes/0/code"));
        assertThat(batch.at("/documents/1/codes/0/evidence/0/document").asText())
                .isEqualTo("y");
    }

    @Test
    void oneBadDocumentDoesNotFailABatch() {
        Reply reply = server.post(
                "/api/code/batch",
                "{\"documents\": [{\"id\": \"x\", \"text\": \"123\"}, {\"id\": \"y\", \"text\": \"Gout.\"},"
                        + " {\"text\": \"" + "long ".repeat(5_000) + "\"}, {\"id\": 4}, {\"txt\": \"Gout.\"}, 6]}");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        JsonNode documents = reply.json().get("documents");
        assertThat(documents.findValuesAsText("id")).containsExactly("x", "y", "3", "4", "5", "6");
        assertThat(documents.at("/0/status").asInt()).isEqualTo(422);
        assertThat(documents.at("/0/error/where").asText()).isEqualTo("documents[0]");
        assertThat(documents.at("/1/codes")).isNotEmpty();
        assertThat(documents.at("/2/status").asInt()).isEqualTo(413);
        assertThat(documents.at("/3/error/where").asText()).isEqualTo("documents[3].id");
        assertThat(documents.at("/4/error/remedy").asText()).contains("text");
        assertThat(documents.at("/5/error/where").asText()).isEqualTo("documents[5]");
        assertThat(server.post("/api/code/batch", "{\"documents\": []}").status())
                .isEqualTo(422);
    }

    @Test
    void describesTheModel() {
        JsonNode model = server.get("/api/model").json();
        assertThat(model.get("name").asText()).isEqualTo("linear@demo");
        assertThat(model.get("type").asText()).isEqualTo("linear");
        assertThat(model.get("codes").asInt()).isPositive();
        assertThat(model.at("/documents/train").asInt()).isEqualTo(120);
        assertThat(model.at("/metrics/test/MAP").asDouble()).isBetween(0.1, 1.0);
        assertThat(model.at("/bands/0/band").asText()).isEqualTo("suggest");
        assertThat(model.at("/bands/0/precision").asDouble()).isBetween(0.5, 1.0);
        assertThat(model.at("/calibration/method").asText()).isEqualTo("isotonic");
        assertThat(model.get("guard").asBoolean()).isTrue();
        assertThat(model.get("keepsText").asBoolean()).isTrue();
    }

    @Test
    void samplesAreInTheModelsLanguage() {
        JsonNode samples = server.get("/api/samples").json();
        assertThat(samples.findValuesAsText("title")).anyMatch(title -> title.startsWith("Discharge summary: "));
        assertThat(samples.findValuesAsText("id")).doesNotContain("es-renal").contains("en-heart");
    }

    @Test
    void findsCodesByPrefixAndByWords() {
        assertThat(server.get("/api/codes?q=i50&limit=3").json().at("/0/code").asText())
                .startsWith("I50");
        assertThat(server.get("/api/codes?q=hipertension%20esential").json().findValuesAsText("code"))
                .contains("I10");
    }

    @Test
    void codeDetailsIncludeRelatedCodes() {
        JsonNode code = server.get("/api/codes/a0472").json();
        assertThat(code.get("code").asText()).isEqualTo("A04.72");
        assertThat(code.get("billable").asBoolean()).isTrue();
        assertThat(code.get("parents").findValuesAsText("code")).containsExactly("A04.7", "A04");
        assertThat(server.get("/api/codes/A04.7").json().get("children").findValuesAsText("code"))
                .contains("A04.72");
        assertThat(code.get("tokens")).isEmpty();
        assertThat(server.get("/api/codes/Q99.999").status()).isEqualTo(404);
        assertThat(server.get("/api/codes/8140%2F3").status()).isEqualTo(404); // an encoded slash is accepted
    }

    @Test
    void codesFhirResources() {
        String data = Base64.getEncoder().encodeToString(NOTE.getBytes(StandardCharsets.UTF_8));
        String document =
                "{\"resourceType\": \"DocumentReference\", \"status\": \"current\", \"content\": [{\"attachment\":"
                        + " {\"contentType\": \"text/plain; charset=utf-8\", \"data\": \"" + data + "\"}}]}";
        Reply reply = server.send(server.request("/fhir/$code")
                .header("Content-Type", "application/fhir+json")
                .POST(HttpRequest.BodyPublishers.ofString(document)));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.header("Content-Type")).startsWith("application/fhir+json");
        assertThat(reply.json().get("resourceType").asText()).isEqualTo("Bundle");
        assertThat(server.post("/fhir/$code", "{\"resourceType\": \"Patient\"}").status())
                .isEqualTo(422);
        assertThat(server.get("/fhir/metadata").json().at("/implementation/url").asText())
                .isEqualTo("http://127.0.0.1:" + server.server.port() + "/fhir");
    }

    @Test
    void servesHealthMetricsAndPages() {
        assertThat(server.get("/api/health").body()).isEqualTo("{\"status\":\"ok\"}");
        server.post("/api/code", "{\"text\": \"Seizure.\"}");
        assertThat(server.get("/metrics").body())
                .contains(
                        "plant_batch_documents_count", "route=\"/api/code\"", "# TYPE plant_request_seconds histogram");
        assertThat(server.get("/openapi.json").json().get("openapi").asText()).startsWith("3.");
        assertThat(server.get("/api").body()).contains("/api/code/batch");
        assertThat(server.get("/report").body()).contains("<html");
    }
}
