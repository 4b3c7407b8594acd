package org.plant4j.fhir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.UserError;

class DocumentExtractorTest {

    private static String document(String status, String type, String content) {
        String data = Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8));
        return """
                {"resourceType": "DocumentReference", "status": "%s",
                 "content": [{"attachment": {"contentType": "%s", "data": "%s"}}]}
                """.formatted(status, type, data);
    }

    private static List<String> texts(String resource) {
        return DocumentExtractor.extract(FhirJson.parse(resource), new RequestSize(FhirLimits.NONE)).stream()
                .map(each -> each.document().text())
                .toList();
    }

    @Test
    void htmlBecomesText() {
        String html = "<!DOCTYPE html><html><head><title>T</title><style>p {}</style></head><body><!-- no -->"
                + "<p>Heart&nbsp;failure &amp; <b>gout</b>.<p>NYHA &lt; III<br>&#66;P 160/95<script>x()</script>"
                + "<table><tr><td>Na</td><td>138</td></tr></table>";
        assertThat(texts(document("current", "text/html; charset=utf-8", html)))
                .containsExactly("Heart failure & gout.\nNYHA < III\nBP 160/95 \n\nNa 138".replace(" \n\n", "\n\n"));
    }

    @Test
    void unclosedMarkupTakesLinearTime() {
        for (String open : List.of("<!--", "<script ", "<!-- <title>")) {
            String html = "<!-- a --><TITLE>b</Title >Gout. " + open.repeat(100_000);
            assertTimeoutPreemptively(
                    Duration.ofSeconds(10),
                    () -> assertThat(texts(document("current", "text/html", html))
                                    .get(0))
                            .startsWith("Gout."));
        }
    }

    @Test
    void parametersAndNestedBundlesAreRead() {
        String first = document("current", "text/plain", "Gout.");
        String second = document("current", "text/plain", "Asthma.");
        String parameters = "{\"resourceType\": \"Parameters\", \"parameter\": [{\"name\": \"resource\", \"resource\": "
                + first + "}, {\"name\": \"resource\", \"resource\": {\"resourceType\": \"Bundle\","
                + " \"type\": \"collection\", \"entry\": [{\"resource\": " + second + "}]}}]}";
        assertThat(texts(parameters)).containsExactly("Gout.", "Asthma.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"superseded", "entered-in-error"})
    void documentsThatAreNotCurrentAreRefused(String status) {
        UserError error = catchThrowableOfType(UserError.class, () -> texts(document(status, "text/plain", "Gout.")));
        assertThat(error.where()).isEqualTo("DocumentReference.status");
    }

    @Test
    void namedEntitiesAreDecoded() {
        String html = "<p>Gr&uuml;n&ndash;M&eacute;ni&egrave;re &mu;g &ge; 38&nbsp;&deg;C, 5&sup2; &frac12; &yuml;"
                + " &sigma;&Omega; &unknown; &amp;lt;</p>";
        assertThat(texts(document("current", "text/html", html)))
                .containsExactly("Grün–Ménière μg ≥ 38 °C, 5² ½ ÿ σΩ &unknown; &lt;");
    }

    /** So many DocumentReferences that name one Binary. */
    private static String sharing(int count, String type, String content) {
        String data = Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8));
        String reference = "{\"resource\": {\"resourceType\": \"DocumentReference\", \"status\": \"current\","
                + " \"content\": [{\"attachment\": {\"url\": \"Binary/b\"}}]}},";
        return "{\"resourceType\": \"Bundle\", \"type\": \"collection\", \"entry\": [" + reference.repeat(count)
                + "{\"resource\": {\"resourceType\": \"Binary\", \"id\": \"b\", \"contentType\": \"" + type
                + "\", \"data\": \"" + data + "\"}}]}";
    }

    @Test
    void aSharedBinaryCountsForEachDocument() {
        RequestSize most = new RequestSize(FhirLimits.ofRequest(15));
        assertThat(DocumentExtractor.extract(FhirJson.parse(sharing(3, "text/plain", "Gout.")), most))
                .hasSize(3);
        for (String blank : List.of("     ", "<br/>")) {
            RequestSize size = new RequestSize(FhirLimits.ofRequest(14));
            RequestTooLarge error = catchThrowableOfType(
                    RequestTooLarge.class,
                    () -> DocumentExtractor.find(FhirJson.parse(sharing(3, "text/html", blank)), size));
            assertThat(error.what()).isEqualTo("The request has more than 14 characters in its documents");
        }
    }

    @Test
    void textsThatAreCopiedIntoResultsAreShort() {
        String good = document("current", "text/plain", "Gout.");
        String longText = "x".repeat(1001);
        for (String more : List.of(
                "\"id\": \"" + longText + "\"",
                "\"description\": \"" + longText + "\"",
                "\"subject\": {\"display\": \"" + longText + "\"}",
                "\"subject\": {\"identifier\": {\"assigner\": {\"display\": \"" + longText + "\"}}}",
                "\"context\": {\"encounter\": [{\"extension\": [{\"url\": \"http://a\", \"valueString\": \"" + longText
                        + "\"}]}]}")) {
            UserError error = catchThrowableOfType(
                    UserError.class, () -> texts(good.replace("\"content\":", more + ", \"content\":")));
            assertThat(error.what()).as(more.substring(0, 20)).startsWith("Longer than ");
        }
        String bundle = "{\"resourceType\": \"Bundle\", \"type\": \"collection\", \"entry\": [{\"fullUrl\":"
                + " \"http://a/" + longText + "\", \"resource\": " + good + "}]}";
        assertThat(catchThrowableOfType(UserError.class, () -> texts(bundle)).where())
                .isEqualTo("Bundle.entry.fullUrl");
    }

    @Test
    void aContainedBinaryWithoutAnIdIsNotFound() {
        String resource = "{\"resourceType\": \"DocumentReference\", \"status\": \"current\", \"contained\":"
                + " [{\"resourceType\": \"Binary\", \"contentType\": \"text/plain\", \"data\": \"R291dC4=\"}],"
                + " \"content\": [{\"attachment\": {\"url\": \"#a\"}}]}";
        UserError error = catchThrowableOfType(UserError.class, () -> texts(resource));
        assertThat(error.what()).isEqualTo("The resource contains no document");
    }
}
