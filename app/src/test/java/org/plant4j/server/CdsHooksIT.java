package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.access.Role;
import org.plant4j.server.RunningServer.Reply;

/** A client of CDS Hooks discovers the services, calls them and sends feedback. */
class CdsHooksIT {

    private static final String EHR = "https://ehr.example.org";
    private static final InMemoryAccessTokenStore TOKENS = new InMemoryAccessTokenStore();

    private static RunningServer server;
    private static RunningServer locked;
    private static String token;

    @BeforeAll
    static void open() {
        ServerSettings plain = RunningServer.SETTINGS;
        server = new RunningServer(
                new ServerSettings(
                        plain.host(),
                        0,
                        true,
                        plain.limits(),
                        new ServerSettings.Proxies(Set.of(), Optional.empty(), Set.of(EHR)),
                        Optional.empty(),
                        List.of()),
                new InMemoryAccessTokenStore());
        token = "Bearer " + TOKENS.create("ehr", Role.CODER);
        locked = new RunningServer(plain, TOKENS);
    }

    @AfterAll
    static void close() {
        server.close();
        locked.close();
    }

    private static ObjectNode documents(String... texts) {
        ObjectNode bundle = new ObjectMapper().createObjectNode();
        bundle.put("resourceType", "Bundle").put("type", "searchset");
        for (String text : texts) {
            ObjectNode document = bundle.withArrayProperty("entry").addObject().putObject("resource");
            document.put("resourceType", "DocumentReference").put("status", "current");
            document.putArray("content")
                    .addObject()
                    .putObject("attachment")
                    .put("contentType", "text/plain")
                    .put("data", Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
        }
        return bundle;
    }

    private static String request(String hook, JsonNode documents) {
        ObjectNode request = new ObjectMapper().createObjectNode();
        request.put("hook", hook).put("hookInstance", "d1577c69-dfbe-44ad-ba6d-3e05e953b2ea");
        request.putObject("context")
                .put("userId", "Practitioner/1")
                .put("patientId", "p")
                .put("encounterId", "e");
        request.putObject("prefetch").set("documents", documents);
        return request.toString();
    }

    @Test
    void cardsHaveCodesEvidenceSuggestionsAndLinks() {
        JsonNode services = server.get("/cds-services").json().get("services");
        assertThat(services.findValuesAsText("hook")).containsExactly("encounter-discharge", "patient-view");
        for (JsonNode service : services) {
            String path = "/cds-services/" + service.get("id").asText();
            Reply reply = server.post(
                    path,
                    request(
                            service.get("hook").asText(),
                            documents(
                                    "Admitted with heart failure and essential hypertension [x](http://evil.example).")));
            assertThat(reply.status()).as(reply.body()).isEqualTo(200);
            JsonNode cards = reply.json().get("cards");
            assertThat(cards).isNotEmpty();
            assertThat(cards.at("/0/links/0/url").asText()).isEqualTo("http://127.0.0.1:" + server.port() + "/");
            assertThat(reply.body()).doesNotContain("[x](http");
            JsonNode suggestion = cards.findValue("suggestions").get(0);
            JsonNode condition = suggestion.at("/actions/0/resource");
            String code = condition.at("/code/coding/0/code").asText();
            assertThat(suggestion.get("label").asText()).startsWith("Add " + code);
            assertThat(condition.at("/meta/security/0/code").asText()).isEqualTo("AIAST");
            assertThat(cards.findValuesAsText("detail").toString()).contains("“", " %");
            assertThat(cards.findValuesAsText("summary")).anyMatch(each -> each.contains(code));
        }
    }

    @Test
    void feedbackIsCountedWithoutItsText() {
        String card = "4e0a3a1e-3283-4575-ab82-028d55fe2719";
        Reply reply = server.post(
                "/cds-services/plant4j-patient-view/feedback",
                "{\"feedback\": [{\"card\": \"" + card + "\", \"outcome\": \"overridden\", \"overrideReason\":"
                        + " {\"userComment\": \"Secretword\"}, \"outcomeTimestamp\": \"2026-03-01T10:00:00Z\"}]}");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        String metrics = server.get("/metrics").body();
        assertThat(metrics)
                .contains("plant_cds_feedback_total{service=\"plant4j-patient-view\",outcome=\"overridden\"} 1")
                .doesNotContain("Secretword");
        assertThat(server.post("/cds-services/plant4j-patient-view/feedback", "{\"feedback\": [{\"card\": \"x\"}]}")
                        .status())
                .isEqualTo(422);
        for (String second : List.of(
                "{\"card\": \"John Doe has gout\", \"outcome\": \"accepted\"}", "{\"card\": \"" + card + "\"}")) {
            String feedback =
                    "{\"feedback\": [{\"card\": \"" + card + "\", \"outcome\": \"overridden\"}, " + second + "]}";
            assertThat(server.post("/cds-services/plant4j-patient-view/feedback", feedback)
                            .status())
                    .isEqualTo(422);
        }
        assertThat(server.get("/metrics").body())
                .as("feedback is counted as a whole or not at all")
                .contains("plant_cds_feedback_total{service=\"plant4j-patient-view\",outcome=\"overridden\"} 1\n");
    }

    @Test
    void requestsThatCannotBeAnsweredAreRejected() {
        String path = "/cds-services/plant4j-encounter-discharge";
        String good = request("encounter-discharge", documents("Gout."));
        assertThat(server.post("/cds-services/unknown", good).status()).isEqualTo(404);
        assertThat(server.post(path, request("patient-view", documents("Gout.")))
                        .status())
                .isEqualTo(422);
        assertThat(server.post(path, good.replace("prefetch", "prefetched")).status())
                .isEqualTo(412);
        assertThat(server.post(path, good.replace("current", "superseded")).status())
                .isEqualTo(422);
        assertThat(server.post(path, "[]").status()).isEqualTo(422);
        assertThat(server.post(path, "{").status()).isEqualTo(400);
        assertThat(server.post(path, request("encounter-discharge", documents()))
                        .json()
                        .get("cards"))
                .isEmpty();
        assertThat(locked.get("/cds-services").status()).isEqualTo(200);
        assertThat(locked.post(path, good).status()).isEqualTo(401);
        assertThat(locked.post(path, good, "Authorization", token).status()).isEqualTo(200);
    }

    @Test
    void onlyConfiguredOriginsMayCallOnlyCdsHooks() {
        String path = "/cds-services/plant4j-encounter-discharge";
        Reply preflight = preflight(server, path, EHR);
        assertThat(preflight.status()).isEqualTo(204);
        assertThat(preflight.header("Access-Control-Allow-Origin")).isEqualTo(EHR);
        assertThat(preflight.header("Access-Control-Allow-Headers")).contains("Authorization");
        Reply reply = server.get("/cds-services", "Origin", EHR);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo(EHR);
        assertThat(server.get("/cds-services", "Origin", "https://evil.example").status())
                .isEqualTo(403);
        assertThat(preflight(server, path, "https://evil.example").status()).isEqualTo(403);
        assertThat(server.get("/api/model", "Origin", EHR).status()).isEqualTo(403);
        assertThat(preflight(locked, path, EHR).status()).isEqualTo(403);
    }

    private static Reply preflight(RunningServer server, String path, String origin) {
        return server.send(server.request(path)
                .headers("Origin", origin, "Access-Control-Request-Method", "POST")
                .method("OPTIONS", BodyPublishers.noBody()));
    }
}
