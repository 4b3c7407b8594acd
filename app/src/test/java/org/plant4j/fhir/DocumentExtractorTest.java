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
        return DocumentExtractor.extract(FhirJson.parse(resource)).stream()
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
}
