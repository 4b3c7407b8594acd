package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The contract test itself can fail, and says what to change. */
class OpenApiContractTest {

    private static ThrowingCallable response(String method, String path, int status, String type, String body) {
        return () -> OpenApiContract.CURRENT.check(method, path, status, type, body);
    }

    private static ThrowingCallable caller(String body) {
        return response("GET", "/api/me", 200, "application/json", body);
    }

    @Test
    void acceptsWhatIsDescribed() {
        assertThatCode(caller("{\"name\": \"maria\", \"role\": \"coder\", \"session\": false}"))
                .doesNotThrowAnyException();
        assertThatCode(response("GET", "/api/none", 404, "application/json", "{}"))
                .doesNotThrowAnyException();
        assertThatCode(response("DELETE", "/api/me", 405, "application/json", "{}"))
                .doesNotThrowAnyException();
        assertThatCode(response("HEAD", "/api/me", 200, "", "")).doesNotThrowAnyException();
    }

    @Test
    void namesMissingUnknownAndInvalidFields() {
        assertThatThrownBy(caller("{\"name\": \"maria\"}")).hasMessageContaining("'role'");
        assertThatThrownBy(caller("{\"name\": \"maria\", \"role\": \"coder\", \"session\": false, \"age\": 7}"))
                .hasMessageContaining("'age'");
        assertThatThrownBy(caller("{\"name\": null, \"role\": \"coder\", \"session\": false}"))
                .hasMessageContaining("null found");
        assertThatThrownBy(caller("{\"name\": \"maria\", \"role\": \"king\", \"session\": false}"))
                .hasMessageContaining("enumeration");
    }

    @Test
    void findsUnknownFieldsBehindReferences() {
        String code = "{\"code\": \"I10\", \"description\": \"\", \"inModel\": true, \"billable\": true}";
        assertThatCode(response("GET", "/api/codes", 200, "application/json", "[" + code + "]"))
                .doesNotThrowAnyException();
        assertThatThrownBy(response(
                        "GET", "/api/codes", 200, "application/json", "[" + code.replace("inModel", "in") + "]"))
                .hasMessageContaining("'in'");
        String details = code.replace(
                "}",
                ", \"trainingDocuments\": null, \"parents\": [], \"children\": [],"
                        + " \"siblings\": [], \"tokens\": []}");
        assertThatCode(response("GET", "/api/codes/I10", 200, "application/json", details))
                .doesNotThrowAnyException();
        assertThatThrownBy(
                        response("GET", "/api/codes/I10", 200, "application/json", details.replace("tokens", "words")))
                .hasMessageContaining("'words'");
    }

    @Test
    void saysWhatToAddToTheDescription() {
        assertThatThrownBy(response("GET", "/api/me", 418, "application/json", "{}"))
                .hasMessageContaining("add to paths → /api/me → get → responses: \"418\"");
        assertThatThrownBy(response("PUT", "/api/me", 200, "application/json", "{}"))
                .hasMessageContaining("add \"put\" to paths → /api/me");
        assertThatThrownBy(response("GET", "/api/not/described", 200, "application/json", "{}"))
                .hasMessageContaining("add it to \"paths\"");
        assertThatThrownBy(response("GET", "/api/me", 200, "text/html", "<p>")).hasMessageContaining("text/html");
        assertThatThrownBy(response("POST", "/fhir/$code", 401, "application/json", "{}"))
                .hasMessageContaining("application/fhir+json");
    }
}
