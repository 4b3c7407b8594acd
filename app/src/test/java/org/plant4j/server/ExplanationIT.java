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
import org.plant4j.review.InMemoryAccessTokenStore;
import org.plant4j.review.Role;
import org.plant4j.server.RunningServer.Reply;

/** Why a code was given, as a client is told: by models that look into descriptions, that share views, and by others. */
class ExplanationIT {

    private static final String NOTE = "Patient seen today with wheezing breath.";

    @TempDir
    static Path folder;

    private static RunningServer described;
    private static RunningServer sharing;
    private static RunningServer plain;

    @BeforeAll
    static void open() {
        ExplainableRuns runs = ExplainableRuns.in(folder);
        described = new RunningServer(runs.descriptionAttention());
        sharing = new RunningServer(runs.isd());
        plain = new RunningServer();
    }

    @AfterAll
    static void close() {
        described.close();
        sharing.close();
        plain.close();
    }

    private static JsonNode explain(RunningServer desk, String text, String code) {
        Reply reply = desk.post("/api/explain", "{\"text\": \"" + text + "\", \"code\": \"" + code + "\"}");
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
    void theWordsOfTheDescriptionThatSpokeAreTold() {
        JsonNode told = explain(described, NOTE, "J45.909");
        assertThat(told.get("code").asText()).isEqualTo("J45.909");
        assertThat(told.get("description").asText()).isEqualTo("breath with wheezing");
        assertThat(words(NOTE, told.get("evidence"))).anyMatch(words -> words.contains("wheezing"));
        assertThat(words("breath with wheezing", told.get("inDescription")))
                .isNotEmpty()
                .allMatch(words -> words.contains("breath") || words.contains("wheezing"));
        told.get("inDescription")
                .forEach(words -> assertThat(words.get("weight").asDouble()).isBetween(0.0, 1.0));
        assertThat(told.get("view").isNull()).isTrue();
    }

    @Test
    void theChosenViewIsToldWithItsWords() {
        JsonNode told = explain(sharing, NOTE, "J45.909");
        assertThat(told.get("inDescription").isNull()).isTrue();
        assertThat(told.at("/view/number").asInt()).isBetween(1, 4);
        assertThat(told.at("/view/count").asInt()).isEqualTo(4);
        assertThat(told.at("/view/words"))
                .hasSize(5)
                .allMatch(word -> NOTE.toLowerCase(Locale.ROOT).contains(word.asText()));
    }

    @Test
    void itSaysOfTheCodeWhatCodingSaysAndOfCodesBeyondTheListToo() {
        String note = "Admitted with heart failure and essential hypertension. Treated with furosemide.";
        JsonNode coded = plain.post("/api/code", "{\"text\": \"" + note + "\", \"codes\": 60}")
                .json();
        JsonNode first = coded.at("/codes/0");
        JsonNode told = explain(plain, note, first.get("code").asText());
        for (String field : List.of("code", "description", "band", "evidence")) {
            assertThat(told.get(field)).as(field).isEqualTo(first.get(field));
        }
        assertThat(told.get("version")).isEqualTo(coded.get("version"));
        assertThat(told.get("inDescription").isNull()).isTrue();
        assertThat(told.get("view").isNull()).isTrue();
        JsonNode low = coded.at("/codes/55");
        assertThat(low.get("evidence")).isEmpty();
        assertThat(explain(plain, note, low.get("code").asText()).get("probability"))
                .isEqualTo(low.get("probability"));
    }

    @Test
    void evidenceNamesItsNoteAndACodeMayBeWrittenWithoutMarks() {
        Reply reply = described.post(
                "/api/explain",
                "{\"notes\": [{\"id\": \"a\", \"text\": \"Seen today.\"},"
                        + " {\"id\": \"b\", \"text\": \"Wheezing breath.\"}], \"code\": \"j45909\"}");
        assertThat(reply.json().get("code").asText()).isEqualTo("J45.909");
        assertThat(reply.json().get("evidence").findValuesAsText("note")).contains("b");
    }

    @Test
    void theModelSaysWhatItCanTell() {
        assertThat(described.get("/api/model").json().get("explains"))
                .hasToString("{\"descriptions\":true,\"views\":false}");
        assertThat(sharing.get("/api/model").json().get("explains"))
                .hasToString("{\"descriptions\":false,\"views\":true}");
        assertThat(plain.get("/api/model").json().get("explains"))
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
            {"notes": [], "code": "J45.909"}                        | body
            {"text": "wheezing", "code": "J45.909", "codes": 3}     | codes
            """)
    void whatCannotBeExplainedIsRefused(String body, String where) {
        Reply reply = described.post("/api/explain", body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(422);
        assertThat(reply.json().get("where").asText()).isEqualTo(where);
        assertThat(reply.json().get("remedy").asText()).isNotEmpty();
        assertThat(reply.body()).doesNotContain("wheezing");
    }

    @Test
    void bodiesAreCheckedAsInCoding() {
        assertThat(described.post("/api/explain", "{").status()).isEqualTo(400);
        String longText = "{\"code\": \"J45.909\", \"text\": \"" + "word ".repeat(5_000) + "\"}";
        assertThat(described.post("/api/explain", longText).status()).isEqualTo(413);
        assertThat(described
                        .send(described
                                .request("/api/explain")
                                .header("Content-Type", "text/plain")
                                .POST(BodyPublishers.ofString("{}")))
                        .status())
                .isEqualTo(415);
    }

    @Test
    void aTokenIsNeededOnceThereIsOne() {
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
    void explanationsAreCounted() {
        explain(described, NOTE, "J45.909");
        String metrics = described.get("/metrics").body();
        assertThat(metrics).contains("route=\"/api/explain\"");
        assertThat(metrics).doesNotContain("plant_explanation_seconds_count 0");
    }
}
