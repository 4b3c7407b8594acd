package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.access.Role;
import org.plant4j.server.RunningServer.Reply;

/** The worklist over HTTP: intake, claims, visibility, and second reviews. */
class WorklistIT {

    private static final String NOTE =
            "Admitted with heart failure and essential hypertension, treated with furosemide.";

    private final InMemoryAccessTokenStore tokens = new InMemoryAccessTokenStore();
    private final String ana = "Bearer " + tokens.create("ana", Role.CODER);
    private final String ben = "Bearer " + tokens.create("ben", Role.CODER);
    private final String rita = "Bearer " + tokens.create("rita", Role.REVIEWER);
    private final String admin = "Bearer " + tokens.create("root", Role.ADMIN);
    private RunningServer server;

    @BeforeEach
    void start() {
        server = new RunningServer(RunningServer.SETTINGS, tokens);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Reply post(String user, String path, String body) {
        return server.post(path, body, "Authorization", user);
    }

    private Reply get(String user, String path) {
        return server.get(path, "Authorization", user);
    }

    private Reply add(String id, String document, String text) {
        ObjectNode body = new ObjectMapper().createObjectNode().put("id", id);
        body.putArray("documents").addObject().put("id", document).put("text", text);
        return post(ana, "/api/encounters", body.toString());
    }

    private static String id(String id) {
        return "{\"id\": \"" + id + "\"}";
    }

    private String code(String user, String id) {
        assertThat(post(user, "/api/encounters/claim", id(id)).status()).isEqualTo(200);
        ObjectNode review = ReviewsIT.review(server, id, NOTE, "Authorization", user);
        Reply reply = post(user, "/api/reviews", review.toString());
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        return reply.json().get("id").asText();
    }

    @Test
    void anEncounterTravelsWithItsIdsFromTheApiToTheReview() {
        Reply created = add("Encounter/17", "a", NOTE);
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        assertThat(add("Encounter/17", "a", NOTE).json().get("outcome").asText())
                .isEqualTo("unchanged");
        assertThat(add("Encounter/17", "a", "Another text.").status()).isEqualTo(409);
        JsonNode claimed = post(ana, "/api/encounters/next", "{}").json();
        assertThat(claimed.get("id").asText()).isEqualTo("Encounter/17");
        assertThat(claimed.at("/documents/0/id").asText()).isEqualTo("a");
        assertThat(claimed.at("/documents/0/text").asText()).isEqualTo(NOTE);
        assertThat(claimed.get("claimedBy").asText()).isEqualTo("ana");
        String review = code(ana, "Encounter/17");
        JsonNode stored = get(ana, "/api/reviews/" + review).json();
        assertThat(stored.get("document").asText()).isEqualTo("Encounter/17");
        assertThat(stored.at("/encounter/documents/0/id").asText()).isEqualTo("a");
        JsonNode coded = get(ana, "/api/encounters?state=coded").json().at("/encounters/0");
        assertThat(coded.get("state").asText()).isEqualTo("coded");
        assertThat(coded.get("reviewId").asText()).isEqualTo(review);
        Reply reopened = add("Encounter/17", "b", "Later: gout.");
        assertThat(reopened.status()).isEqualTo(200);
        assertThat(reopened.json().get("reopened").asBoolean()).isTrue();
        assertThat(get(ana, "/api/encounters?state=open")
                        .json()
                        .at("/encounters/0/reopened")
                        .isTextual())
                .isTrue();
    }

    @Test
    void codersSeeWhatTheyCanWorkOn() {
        add("1", "a", NOTE);
        add("2", "a", NOTE);
        assertThat(post(ana, "/api/encounters/claim", id("1")).status()).isEqualTo(200);
        assertThat(get(ben, "/api/encounters").json().at("/encounters").findValuesAsText("id"))
                .containsExactly("2");
        assertThat(get(ben, "/api/encounters/1").status()).isEqualTo(404);
        assertThat(get(ben, "/api/encounters/2").status()).isEqualTo(409);
        assertThat(post(ben, "/api/encounters/claim", id("1")).status()).isEqualTo(404);
        assertThat(post(ben, "/api/encounters/release", id("1")).status()).isEqualTo(404);
        assertThat(post(rita, "/api/encounters/claim", id("1")).status()).isEqualTo(409);
        assertThat(get(rita, "/api/encounters").body())
                .contains("\"in_progress\":1")
                .doesNotContain("heart");
        assertThat(post(admin, "/api/encounters/release", id("1"))
                        .json()
                        .get("released")
                        .asInt())
                .isEqualTo(1);
        assertThat(post(ben, "/api/encounters/next", "{\"after\": \"2\"}")
                        .json()
                        .get("id")
                        .asText())
                .isEqualTo("1");
        assertThat(post(ben, "/api/encounters/next", "{\"secondReview\": true}").status())
                .isEqualTo(403);
        assertThat(post(ana, "/api/encounters/next", "{\"after\": \"2\"}").status())
                .isEqualTo(204);
        assertThat(post(ben, "/api/encounters/release", "{}")
                        .json()
                        .get("released")
                        .asInt())
                .isEqualTo(1);
        assertThat(get(ana, "/api/encounters?state=waiting").status()).isEqualTo(422);
    }

    @Test
    void aReviewOfAnEncounterThatSomebodyElseHasClaimedIsRefused() {
        add("1", "a", NOTE);
        post(ana, "/api/encounters/claim", id("1"));
        ObjectNode review = ReviewsIT.review(server, "1", NOTE, "Authorization", ben);
        Reply refused = post(ben, "/api/reviews", review.toString());
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().get("error").asText()).isEqualTo("Somebody else works on this encounter");
        assertThat(refused.json().get("where").asText()).isEqualTo("1");
    }

    @Test
    void aRetryAfterACorrectionGetsItsReceiptAndChangesNothing() {
        add("1", "a", NOTE);
        ObjectNode review = ReviewsIT.review(server, "1", NOTE, "Authorization", ana);
        assertThat(submit(review, "k1").json().get("error").asText()).isEqualTo("You have not claimed this encounter");
        post(ana, "/api/encounters/claim", id("1"));
        Reply first = submit(review, "k1");
        Reply corrected = submit(review, "k2");
        assertThat(submit(review, "k1").json()).isEqualTo(first.json());
        assertThat(get(ana, "/api/encounters/1").json().get("reviewId"))
                .isEqualTo(corrected.json().get("id"));
    }

    private Reply submit(ObjectNode review, String key) {
        return server.post("/api/reviews", review.toString(), "Authorization", ana, "Idempotency-Key", key);
    }

    @Test
    void aReviewerChangesACodeAndTheFirstReviewStays() {
        add("1", "a", NOTE);
        String first = code(ana, "1");
        String assigned =
                get(ana, "/api/reviews/" + first).json().at("/decisions/0/code").asText();
        assertThat(post(ana, "/api/encounters/second-review", "{}").status()).isEqualTo(403);
        JsonNode claimed = post(rita, "/api/encounters/claim", id("1")).json();
        assertThat(claimed.get("state").asText()).isEqualTo("second_review");
        assertThat(claimed.at("/firstReview/decisions/0/code").asText()).isEqualTo(assigned);
        String other = assigned.equals("I10") ? "M10.9" : "I10";
        String changes = """
                {"id": "1", "review": "%s", "changes": [{"first": "%s", "second": "%s", "comment": "%s"}]}
                """;
        Reply blank = post(rita, "/api/encounters/second-review", changes.formatted(first, assigned, other, " "));
        assertThat(blank.status()).isEqualTo(422);
        Reply unknown =
                post(rita, "/api/encounters/second-review", changes.formatted(first, assigned, "X99.XX", "why"));
        assertThat(unknown.json().get("where").asText()).isEqualTo("changes[0].second");
        assertThat(post(rita, "/api/encounters/second-review", changes.formatted(first, "Z99.2", other, "why"))
                        .status())
                .isEqualTo(422);
        String request = changes.formatted(first, assigned, other, "documented");
        Reply second =
                server.post("/api/encounters/second-review", request, "Authorization", rita, "Idempotency-Key", "k");
        assertThat(second.status()).as(second.body()).isEqualTo(201);
        Reply retry =
                server.post("/api/encounters/second-review", request, "Authorization", rita, "Idempotency-Key", "k");
        assertThat(retry.json()).isEqualTo(second.json());
        JsonNode closed = get(ana, "/api/encounters/1").json();
        assertThat(closed.get("state").asText()).isEqualTo("closed");
        assertThat(closed.get("disagreements").asInt()).isEqualTo(1);
        assertThat(closed.at("/firstReview/decisions/0/code").asText()).isEqualTo(assigned);
        assertThat(closed.at("/secondReview/decisions/0/code").asText()).isEqualTo(other);
        assertThat(closed.at("/secondReview/second/review").asText()).isEqualTo(first);
        assertThat(closed.at("/secondReview/second/hash").asText()).isEqualTo("hash-" + first);
        assertThat(closed.at("/secondReview/second/disagreements/0/comment").asText())
                .isEqualTo("documented");
        assertThat(get(rita, "/api/encounters?disagreements=true")
                        .json()
                        .at("/encounters/0/id")
                        .asText())
                .isEqualTo("1");
        assertThat(server.worklist.finalReviews())
                .containsEntry("1", second.json().get("id").asText());
        JsonNode found = get(admin, "/fhir/Bundle?identifier=1").json();
        assertThat(found.get("total").asInt()).isEqualTo(1);
        assertThat(found.at("/entry/0/resource/id")).isEqualTo(second.json().get("id"));
        assertThat(found.at("/entry/0/fullUrl").asText())
                .endsWith("/fhir/Bundle/" + second.json().get("id").asText());
    }

    @Test
    void documentsArriveByFhirByEncounter() {
        String bundle = """
                {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": %s}, {"resource": %s}]}
                """.formatted(document("d1", "Encounter/17"), document("d2", "Encounter/17"));
        Reply added = server.post("/fhir/$add-to-worklist", bundle, "Authorization", ana);
        assertThat(added.status()).as(added.body()).isEqualTo(200);
        assertThat(added.json().at("/parameter/0/part/0/valueString").asText()).isEqualTo("Encounter/17");
        assertThat(added.json().at("/parameter/0/part/1/valueCode").asText()).isEqualTo("created");
        JsonNode entry = get(ana, "/api/encounters").json().at("/encounters/0");
        assertThat(entry.get("id").asText()).isEqualTo("Encounter/17");
        assertThat(entry.get("documentCount").asInt()).isEqualTo(2);
        assertThat(entry.get("source").asText()).isEqualTo("fhir");
        assertThat(server.post("/fhir/$add-to-worklist", bundle, "Authorization", ana)
                        .body())
                .contains("unchanged");
    }

    @Test
    void aReviewOfAnEncounterThatArrivedByFhirIsFoundByItsIdentifier() {
        String resource = document("d1", "Encounter/17")
                .replace(
                        "\"reference\": \"Encounter/17\"",
                        "\"identifier\": {\"system\": \"urn:oid:1.2\", \"value\": \"V17\"}");
        assertThat(server.post("/fhir/$add-to-worklist", resource, "Authorization", ana)
                        .status())
                .isEqualTo(200);
        assertThat(post(ana, "/api/encounters/claim", id("urn:oid:1.2|V17")).status())
                .isEqualTo(200);
        ObjectNode review = ReviewsIT.review(server, "urn:oid:1.2|V17", NOTE + "d1", "Authorization", ana);
        ((ObjectNode) review.at("/encounter/documents/0")).put("id", "DocumentReference/d1");
        review.putArray("decisions");
        review.withArrayProperty("decisions")
                .addObject()
                .put("code", "I10")
                .put("decision", "added")
                .put("presentOnAdmission", "Y");
        review.withArrayProperty("decisions")
                .addObject()
                .put("code", "M10.9")
                .put("decision", "added")
                .put("presentOnAdmission", "N");
        Reply stored = post(ana, "/api/reviews", review.toString());
        assertThat(stored.status()).as(stored.body()).isEqualTo(201);
        Reply found = get(ana, "/fhir/Bundle?identifier=urn:oid:1.2%7CV17");
        assertThat(found.header("Content-Type")).isEqualTo("application/fhir+json");
        JsonNode bundle = found.json().at("/entry/0/resource");
        assertThat(bundle.at("/identifier/value").asText()).isEqualTo("V17");
        JsonNode encounter = bundle.at("/entry/0/resource");
        assertThat(encounter.at("/diagnosis").findValuesAsText("rank")).containsExactly("1", "2");
        assertThat(encounter
                        .at("/diagnosis/1/extension/0/valueCodeableConcept/coding/0/code")
                        .asText())
                .isEqualTo("N");
        assertThat(bundle.at("/entry/1/resource/code/coding/0/code").asText()).isEqualTo("I10");
        assertThat(bundle.at("/entry/1/resource/code/coding/0/display").asText())
                .isNotEmpty();
        assertThat(get(ana, "/fhir/Bundle/" + stored.json().get("id").asText()).json())
                .isEqualTo(bundle);
        assertThat(get(ana, "/fhir/Bundle?identifier=V18").json().get("total").asInt())
                .isZero();
        assertThat(get(ana, "/fhir/Bundle").status()).isEqualTo(422);
        assertThat(get(ana, "/fhir/Bundle/unknown").json().at("/issue/0/code").asText())
                .isEqualTo("not-found");
    }

    @Test
    void aFhirRequestIsStoredWholeOrNotAtAll() {
        add("Encounter/2", "DocumentReference/d2", "Another text.");
        String bundle = """
                {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": %s}, {"resource": %s}]}
                """.formatted(document("d1", "Encounter/1"), document("d2", "Encounter/2"));
        Reply refused = server.post("/fhir/$add-to-worklist", bundle, "Authorization", ana);
        assertThat(refused.status()).as(refused.body()).isEqualTo(409);
        assertThat(refused.json().at("/issue/0/code").asText()).isEqualTo("conflict");
        assertThat(get(ana, "/api/encounters").json().at("/encounters").findValuesAsText("id"))
                .containsExactly("Encounter/2");
        assertThat(server.get("/fhir/metadata").json().at("/rest/0/operation").findValuesAsText("name"))
                .containsExactly("code", "add-to-worklist");
    }

    private static String document(String id, String encounter) {
        String data = Base64.getEncoder().encodeToString((NOTE + id).getBytes(StandardCharsets.UTF_8));
        return """
                {"resourceType": "DocumentReference", "id": "%s", "status": "current",
                 "subject": {"reference": "Patient/1"}, "context": {"encounter": [{"reference": "%s"}]},
                 "content": [{"attachment": {"contentType": "text/plain", "data": "%s"}}]}
                """.formatted(id, encounter, data);
    }
}
