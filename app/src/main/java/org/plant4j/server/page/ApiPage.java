package org.plant4j.server.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.plant4j.report.Html;

/** The description of the API as a page for people. */
final class ApiPage {

    private ApiPage() {}

    static String render(JsonNode openApi) {
        StringBuilder body = new StringBuilder();
        body.append("<main><h1>").append(text(openApi.at("/info/title"))).append("</h1>\n");
        body.append("<p class=\"lead\">")
                .append(text(openApi.at("/info/description")))
                .append("</p>\n");
        body.append("<p>For programs: <a href=\"openapi.json\">openapi.json</a>.</p>\n");
        for (JsonNode tag : openApi.path("tags")) {
            body.append("<h2>").append(text(tag.path("description"))).append("</h2>\n");
            fields(openApi.path("paths"))
                    .forEach(path -> fields(path.getValue())
                            .filter(operation ->
                                    operation.getValue().at("/tags/0").equals(tag.path("name")))
                            .forEach(operation -> operation(body, path.getKey(), operation)));
        }
        return Html.page(
                "Plant4j API",
                Html.resource(ApiPage.class, "api.css"),
                body.append("</main>").toString());
    }

    private static void operation(StringBuilder body, String path, Map.Entry<String, JsonNode> operation) {
        JsonNode described = operation.getValue();
        body.append("<section><h3><b>")
                .append(operation.getKey().toUpperCase(Locale.ROOT))
                .append("</b> <code>")
                .append(Html.escape(path))
                .append("</code></h3>\n<p>")
                .append(text(described.path("summary")))
                .append("</p>\n");
        rows(body, described);
        example(body, "Send", described.at("/requestBody/content"));
        fields(described.path("responses"))
                .filter(response -> response.getKey().startsWith("2"))
                .forEach(response -> example(body, "Get", response.getValue().path("content")));
        body.append("</section>\n");
    }

    private static void rows(StringBuilder body, JsonNode described) {
        body.append("<table>\n");
        for (JsonNode parameter : described.path("parameters")) {
            row(body, parameter.path("name").asText(), parameter.path("description"));
        }
        fields(described.path("responses"))
                .forEach(response ->
                        row(body, response.getKey(), response.getValue().path("description")));
        body.append("</table>\n");
    }

    private static void row(StringBuilder body, String name, JsonNode description) {
        body.append("<tr><td><code>")
                .append(Html.escape(name))
                .append("</code></td><td>")
                .append(text(description))
                .append("</td></tr>\n");
    }

    private static void example(StringBuilder body, String title, JsonNode content) {
        fields(content).limit(1).forEach(type -> {
            JsonNode example = type.getValue().path("example");
            if (!example.isMissingNode()) {
                String shown = example.isTextual() ? example.asText() : example.toPrettyString();
                body.append("<details><summary>")
                        .append(title)
                        .append("</summary><pre>")
                        .append(Html.escape(shown))
                        .append("</pre></details>\n");
            }
        });
    }

    private static Stream<Map.Entry<String, JsonNode>> fields(JsonNode object) {
        return object.properties().stream();
    }

    private static String text(JsonNode node) {
        return Html.escape(node.asText());
    }
}
