package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.access.Role;
import org.plant4j.server.RunningServer.Reply;

/** Explanations by a model with description attention, by ISD and by a linear model. */
class ExplanationIT {

    private static final String NOTE = "Patient seen today with wheezing breath.";

    @TempDir
    static Path directory;

    private static RunningServer descriptions;
    private static RunningServer isd;
    private static RunningServer linear;

    @BeforeAll
    static void open() {
        ExplainableRuns runs = ExplainableRuns.in(directory);
        descriptions = new RunningServer(runs.descriptionAttention());
        isd = new RunningServer(runs.isd());
        linear = new RunningServer();
    }

    @AfterAll
    static void close() {
        descriptions.close();
        isd.close();
        linear.close();
    }

    private static JsonNode explain(RunningServer server, String text, String code) {
        Reply reply = server.post("/api/explain", "{\"text\": \"" + text + "\", \"code\": \"" + code + "\"}");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.json();
    }

    private static List<String> words(String text, JsonNode spans) {
        List<String> words = new ArrayList<>();
        spans.forEach(span -> words.add(
                text.substring(span.get("start").asInt(), span.get("end").asInt())));
        return words;
    }

    @Test
    void returnsEvidenceInTheDescription() {
        JsonNode explanation = explain(descriptions, NOTE, "J45.909");
        assertThat(explanation.get("code").asText()).isEqualTo("J45.909");
        assertThat(explanation.get("description").asText()).isEqualTo("breath with wheezing");
        assertThat(words(NOTE, explanation.get("evidence"))).anyMatch(words -> words.contains("wheezing"));
        assertThat(words("breath with wheezing", explanation.get("descriptionEvidence")))
                .isNotEmpty()
                .allMatch(words -> words.contains("breath") || words.contains("wheezing"));
        explanation
                .get("descriptionEvidence")
                .forEach(words -> assertThat(words.get("weight").asDouble()).isBetween(0.0, 1.0));
        assertThat(explanation.has("view")).isFalse();
    }

    @Test
    void returnsTheSelectedView() {
        JsonNode explanation = explain(isd, NOTE, "J45.909");
        assertThat(explanation.get("descriptionEvidence")).isEmpty();
        assertThat(explanation.at("/view/number").asInt()).isBetween(1, 4);
        assertThat(explanation.at("/view/count").asInt()).isEqualTo(4);
        assertThat(explanation.at("/view/tokens"))
                .hasSize(5)
                .allMatch(word -> NOTE.toLowerCase(Locale.ROOT).contains(word.asText()));
    }

    @Test
    void agreesWithCodingAtEveryRank() {
        String document = "Admitted with heart failure and essential hypertension. Treated with furosemide.";
        JsonNode coded = linear.post("/api/code", "{\"text\": \"" + document + "\", \"codes\": 60}")
                .json();
        JsonNode first = coded.at("/codes/0");
        JsonNode explanation = explain(linear, document, first.get("code").asText());
        for (String field : List.of("code", "description", "band", "predicted", "evidence")) {
            assertThat(explanation.get(field)).as(field).isEqualTo(first.get(field));
        }
        assertThat(explanation.get("version")).isEqualTo(coded.get("version"));
        assertThat(explanation.get("descriptionEvidence")).isEmpty();
        assertThat(explanation.has("view")).isFalse();
        JsonNode low = coded.at("/codes/55");
        assertThat(low.get("evidence")).isEmpty();
        assertThat(explain(linear, document, low.get("code").asText()).get("probability"))
                .isEqualTo(low.get("probability"));
    }

    @Test
    void evidenceRefersToItsDocumentAndPunctuationInCodesIsIgnored() {
        Reply reply = descriptions.post(
                "/api/explain",
                "{\"documents\": [{\"id\": \"a\", \"text\": \"Seen today.\"},"
                        + " {\"id\": \"b\", \"text\": \"Wheezing breath.\"}], \"code\": \"j45909\"}");
        assertThat(reply.json().get("code").asText()).isEqualTo("J45.909");
        assertThat(reply.json().get("evidence").findValuesAsText("document")).contains("b");
    }

    @Test
    void theModelListsItsExplanationTypes() {
        assertThat(descriptions.get("/api/model").json().get("explains"))
                .hasToString("{\"descriptions\":true,\"views\":false}");
        assertThat(isd.get("/api/model").json().get("explains")).hasToString("{\"descriptions\":false,\"views\":true}");
        assertThat(linear.get("/api/model").json().get("explains"))
                .hasToString("{\"descriptions\":false,\"views\":false}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"text": "wheezing", "code": "X99.9"}                   | code
            {"text": "wheezing", "code": "Z99.2"}                   | code
            {"text": "wheezing"}                                    | code
            {"text": "wheezing", "code": 7}                         | code
            {"text": "", "code": "J45.909"}                         | body
            {"text": " 12 ", "code": "J45.909"}                     | body
            {"code": "J45.909"}                                     | body
            {"documents": [], "code": "J45.909"}                        | body
            {"text": "wheezing", "code": "J45.909", "codes": 3}     | codes
            """)
    void rejectsInvalidRequests(String body, String where) {
        Reply reply = descriptions.post("/api/explain", body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(422);
        assertThat(reply.json().get("where").asText()).isEqualTo(where);
        assertThat(reply.json().get("remedy").asText()).isNotEmpty();
        assertThat(reply.body()).doesNotContain("wheezing");
    }

    @Test
    void validatesBodiesLikeCoding() {
        assertThat(descriptions.post("/api/explain", "{").status()).isEqualTo(400);
        String longText = "{\"code\": \"J45.909\", \"text\": \"" + "word ".repeat(5_000) + "\"}";
        assertThat(descriptions.post("/api/explain", longText).status()).isEqualTo(413);
        assertThat(descriptions
                        .send(descriptions
                                .request("/api/explain")
                                .header("Content-Type", "text/plain")
                                .POST(BodyPublishers.ofString("{}")))
                        .status())
                .isEqualTo(415);
    }

    @Test
    void requiresATokenOnceOneExists() {
        InMemoryAccessTokenStore tokens = new InMemoryAccessTokenStore();
        String secret = tokens.create("ada", Role.CODER);
        String body = "{\"text\": \"gout\", \"code\": \"I10\"}";
        try (RunningServer locked = new RunningServer(RunningServer.SETTINGS, tokens)) {
            assertThat(locked.post("/api/explain", body).status()).isEqualTo(401);
            assertThat(locked.post("/api/explain", body, "Authorization", "Bearer " + secret)
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void countsExplanations() {
        explain(descriptions, NOTE, "J45.909");
        String metrics = descriptions.get("/metrics").body();
        assertThat(metrics).contains("route=\"/api/explain\"");
        assertThat(metrics).doesNotContain("plant_explanation_seconds_count 0");
    }
}
