package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.server.RunningServer.Reply;

/** Reviews over HTTP: stored once, checked against what the server suggested, and exported for training. */
class ReviewsIT {

    private static final String NOTE =
            "Admitted with heart failure and essential hypertension, treated with furosemide.";

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = new RunningServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A review of a text as the page would submit it: all suggestions shown, the first accepted. */
    static ObjectNode review(RunningServer server, String id, String text, String... headers) {
        ObjectMapper json = new ObjectMapper();
        ObjectNode document = json.createObjectNode().put("id", "a").put("text", text);
        ObjectNode request = json.createObjectNode();
        request.putArray("documents").add(document);
        JsonNode coded = server.post("/api/code", request.toString(), headers).json();
        ObjectNode review = json.createObjectNode();
        review.putObject("encounter").put("id", id).putArray("documents").add(document);
        review.set("version", coded.get("version"));
        review.set("inDomain", coded.get("inDomain"));
        if (coded.has("reason")) {
            review.set("reason", coded.get("reason"));
        }
        var shown = review.putArray("shown");
        for (JsonNode code : coded.get("codes")) {
            ObjectNode each = shown.addObject();
            each.set("code", code.get("code"));
            each.set("probability", code.get("probability"));
            each.set("band", code.get("band"));
        }
        review.putArray("decisions")
                .addObject()
                .put("code", coded.at("/codes/0/code").asText())
                .put("decision", "accepted");
        return review;
    }

    private static Reply submit(JsonNode review, String... headers) {
        return server.post("/api/reviews", review.toString(), headers);
    }

    private static void assertRejected(Reply reply, int status, String where) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.json().get("where").asText()).isEqualTo(where);
        assertThat(reply.json().get("remedy").asText()).isNotEmpty();
    }

    @Test
    void storesAReviewOnceAndReturnsIt() {
        ObjectNode review = review(server, "d1", NOTE);
        ObjectNode decision = (ObjectNode) review.at("/decisions/0");
        decision.putArray("evidence")
                .addObject()
                .put("document", "a")
                .put("start", 14)
                .put("end", 27);
        review.put("comment", "sure");
        Reply first = submit(review, "Idempotency-Key", "k1");
        assertThat(first.status()).as(first.body()).isEqualTo(201);
        String id = first.json().get("id").asText();
        assertThat(submit(review, "Idempotency-Key", "k1").json()).isEqualTo(first.json());
        JsonNode stored = server.get("/api/reviews/" + id).json();
        assertThat(stored.get("reviewer").asText()).isEqualTo("local");
        assertThat(stored.get("document").asText()).isEqualTo("d1");
        assertThat(stored.get("supersedes").isNull()).isTrue();
        assertThat(stored.at("/decisions/0/decision").asText()).isEqualTo("accepted");
        assertThat(stored.at("/shown/0/probability")).isEqualTo(review.at("/shown/0/probability"));
        assertThat(stored.at("/encounter/documents/0/text").asText()).isEqualTo(NOTE);
        assertThat(server.get("/api/reviews?limit=5&document=d1").json().findValuesAsText("id"))
                .contains(id);
    }

    @Test
    void rejectsSpansThatTrainingDataCannotHave() {
        String text = NOTE + " \ud83d\ude00";
        for (int[] span :
                new int[][] {{3, 3}, {NOTE.length() + 1, NOTE.length() + 2}, {NOTE.length() + 2, NOTE.length() + 3}}) {
            ObjectNode review = review(server, "d1", text);
            ObjectNode decision = (ObjectNode) review.at("/decisions/0");
            decision.putArray("evidence")
                    .addObject()
                    .put("document", "a")
                    .put("start", span[0])
                    .put("end", span[1]);
            Reply reply = submit(review, "Idempotency-Key", "span" + span[0] + "-" + span[1]);
            assertThat(reply.status()).as(reply.body()).isEqualTo(422);
        }
    }

    @Test
    void aKeyIsNotReusedForAnotherReview() {
        ObjectNode review = review(server, "d2", NOTE);
        assertThat(submit(review, "Idempotency-Key", "k2").status()).isEqualTo(201);
        review.put("comment", "another one");
        assertRejected(submit(review, "Idempotency-Key", "k2"), 422, "Idempotency-Key");
        assertThat(server.get("/api/reviews?document=d2").json()).hasSize(1);
    }

    @Test
    void aRetryNeedsNoVerification() {
        ObjectNode review = review(server, "d2b", NOTE);
        ((ObjectNode) review.at("/shown/0")).put("probability", rounded(review.at("/shown/0/probability")));
        Reply first = submit(review, "Idempotency-Key", "k2b");
        assertThat(first.status()).as(first.body()).isEqualTo(201);
        assertThat(submit(review, "Idempotency-Key", "k2b").json()).isEqualTo(first.json());
        review.put("version", "another");
        assertRejected(submit(review, "Idempotency-Key", "k2b"), 422, "Idempotency-Key"); // before its version: 409
    }

    private static double rounded(JsonNode probability) {
        return Math.round(probability.asDouble() * 100) / 100.0;
    }

    @Test
    void anEncounterHasNoBlankId() {
        assertRejected(submit(review(server, " ", NOTE)), 422, "encounter.id");
    }

    @Test
    void aCorrectionSupersedesTheEarlierReview() {
        ObjectNode review = review(server, "d3", NOTE);
        String first = submit(review).json().get("id").asText();
        ((ObjectNode) review.at("/decisions/0")).put("decision", "rejected");
        assertThat(submit(review).json().get("supersedes").asText()).isEqualTo(first);
    }

    @Test
    void rejectsSuggestionsThatTheServerDidNotMake() {
        for (String change : List.of("probability", "band", "code", "traits")) {
            ObjectNode review = review(server, "d4", NOTE);
            review.putArray("decisions");
            ObjectNode shown = (ObjectNode) review.at("/shown/1");
            switch (change) {
                case "probability" ->
                    shown.put("probability", 1 - shown.get("probability").asDouble());
                case "band" -> shown.put("band", shown.get("band").asText().equals("suggest") ? "review" : "suggest");
                case "code" -> shown.put("code", "B20");
                default -> shown.putArray("traits").add("family");
            }
            assertRejected(submit(review), 409, "shown[1]");
        }
        ObjectNode version = review(server, "d4", NOTE).put("version", "abc");
        assertRejected(submit(version), 409, "version");
        ObjectNode domain = review(server, "d4", NOTE).put("inDomain", false).put("reason", "Another language.");
        assertRejected(submit(domain), 409, "inDomain");
        assertThat(server.get("/api/reviews?document=d4").json()).isEmpty();
    }

    @Test
    void acceptsRoundedProbabilitiesAndStoresItsOwn() {
        ObjectNode review = review(server, "d5", NOTE);
        double exact = review.at("/shown/0/probability").asDouble();
        ((ObjectNode) review.at("/shown/0")).put("probability", Math.round(exact * 100) / 100.0);
        String id = submit(review).json().get("id").asText();
        assertThat(server.get("/api/reviews/" + id)
                        .json()
                        .at("/shown/0/probability")
                        .asDouble())
                .isEqualTo(exact);
    }

    @Test
    void onlyShownCodesCanBeAcceptedAndUnknownCodesAreRefused() {
        ObjectNode review = review(server, "d6", NOTE);
        review.putArray("decisions").addObject().put("code", "B20").put("decision", "accepted");
        assertRejected(submit(review), 422, "decisions[0]");
        for (String unknown : List.of("I10.99", "i10", "ZZZ", "I10X")) {
            review.putArray("decisions").addObject().put("code", unknown).put("decision", "added");
            assertRejected(submit(review), 422, "decisions[0].code");
        }
    }

    @Test
    void aReviewKeepsThatTheTextWasOutOfDomain() {
        ObjectNode review = review(server, "d7", "Lorem ipsum dolor sit amet consectetur adipiscing elit.");
        assertThat(review.get("inDomain").asBoolean()).isFalse();
        String id = submit(review).json().get("id").asText();
        JsonNode stored = server.get("/api/reviews/" + id).json();
        assertThat(stored.get("inDomain").asBoolean()).isFalse();
        assertThat(stored.get("reason")).isEqualTo(review.get("reason"));
        for (String change : List.of("true", "0", "null")) {
            Reply rejected = server.post(
                    "/api/reviews", review.toString().replace("\"inDomain\":false", "\"inDomain\":" + change));
            assertThat(rejected.status()).as(rejected.body()).isEqualTo(422);
        }
    }

    @Test
    void aCodeThatCannotBeBilledNeedsAComment() {
        ObjectNode review = review(server, "d8", NOTE);
        review.putArray("decisions").addObject().put("code", "A04.7").put("decision", "added");
        Reply refused = submit(review);
        assertRejected(refused, 422, "decisions, code A04.7");
        assertThat(refused.json().get("error").asText()).contains("heading");
        Reply stored = submit(review.put("comment", "The type is not documented."));
        assertThat(stored.status()).as(stored.body()).isEqualTo(201);
        assertThat(stored.json().at("/edits/0/kind").asText()).isEqualTo("not-billable");
    }

    @Test
    void checksCodesOnRequest() {
        JsonNode edits = server.post("/api/edits", "{\"codes\": [\"A04.7\", \"A04.72\"], \"date\": \"2021-03-01\"}")
                .json()
                .get("edits");
        assertThat(edits.findValuesAsText("kind")).containsExactly("not-billable", "parent-and-child");
        assertThat(edits.at("/0/resolutions/0/action").asText()).isEqualTo("replace");
        assertRejected(server.post("/api/edits", "{\"codes\": [7]}"), 422, "codes[0]");
        assertRejected(server.post("/api/edits", "{\"codes\": [], \"date\": \"1.3.2021\"}"), 422, "date");
    }

    @Test
    void keepsPresentOnAdmissionAndTheTimeOfTheCoder() {
        ObjectNode review = review(server, "d9", NOTE).put("seconds", 95);
        ObjectNode decision = (ObjectNode) review.at("/decisions/0");
        decision.put("presentOnAdmission", "1");
        String id = submit(review).json().get("id").asText();
        JsonNode stored = server.get("/api/reviews/" + id).json();
        assertThat(stored.at("/decisions/0/presentOnAdmission").asText()).isEqualTo("1");
        assertThat(stored.get("seconds").asInt()).isEqualTo(95);
        assertRejected(submit(review.deepCopy().put("seconds", 86_401)), 422, "seconds");
        decision.put("presentOnAdmission", "y");
        assertRejected(submit(review), 422, "decisions[0].presentOnAdmission");
        decision.put("presentOnAdmission", "Y").put("decision", "rejected");
        assertRejected(submit(review), 422, "decisions[0].presentOnAdmission");
    }

    static Map<String, String> unzip(byte[] zip) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                files.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return files;
    }

    @Test
    void theExportTrainsTheServedModelOnTheReviews(@TempDir Path directory) throws Exception {
        try (RunningServer fresh = new RunningServer()) {
            String[] texts = {
                NOTE, "Gout of the left foot.", "Asthma, treated with salbutamol.", "Seizure, on levetiracetam."
            };
            for (int i = 0; i < 20; i++) {
                ObjectNode review = review(fresh, "d" + i, texts[i % texts.length] + " Day " + i + ".");
                assertThat(fresh.post("/api/reviews", review.toString()).status())
                        .isEqualTo(201);
                fresh.post("/api/reviews", review.put("comment", "again").toString());
            }
            ObjectNode overridden = review(fresh, "d19", NOTE).put("comment", "The type is not documented.");
            overridden.withArray("decisions").addObject().put("code", "A04.7").put("decision", "added");
            assertThat(fresh.post("/api/reviews", overridden.toString()).status())
                    .isEqualTo(201);
            byte[] zip = java.net.http.HttpClient.newHttpClient()
                    .send(fresh.request("/api/reviews/export").build(), HttpResponse.BodyHandlers.ofByteArray())
                    .body();
            Map<String, String> files = unzip(zip);
            assertThat(files).containsOnlyKeys("reviews.yaml", "code-set.tsv", "reviews.jsonl");
            assertThat(files.getOrDefault("reviews.jsonl", "").lines())
                    .hasSize(20)
                    .noneMatch(line -> line.contains("A04.7"));
            assertThat(files.get("code-set.tsv")).startsWith("code\tdescription\tparent\tvalid\n");
            for (Map.Entry<String, String> file : files.entrySet()) {
                Files.writeString(directory.resolve(file.getKey()), file.getValue());
            }
        }
        Pipeline pipeline = new Pipeline(
                ExperimentFile.open(directory.resolve("reviews.yaml").toString(), List.of()),
                directory.resolve("runs"),
                new Session("a test", BadRowHandler.fail(), false, Progress.NONE, () -> false, (stage, how) -> {}));
        pipeline.run();
        assertThat(pipeline.runDirectory().readManifest().name()).isEqualTo("linear@demo-reviews");
        assertThat(pipeline.runDirectory().codeSet()).content().contains("I10\tEssential (primary) hypertension");
    }
}
