package org.plant4j.server.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.plant4j.report.Html;

/** Renders the OpenAPI description as an HTML page. */
final class ApiPage {

    private final JsonNode openApi;
    private final StringBuilder body = new StringBuilder();
    private final Set<String> common = new TreeSet<>();

    private ApiPage(JsonNode openApi) {
        this.openApi = openApi;
    }

    static String render(JsonNode openApi) {
        return new ApiPage(openApi).render();
    }

    private String render() {
        body.append("<main><h1>").append(text(openApi.at("/info/title"))).append("</h1>\n");
        body.append("<p class=\"lead\">")
                .append(text(openApi.at("/info/description")))
                .append("</p>\n");
        body.append("<p>OpenAPI description: <a href=\"openapi.json\">openapi.json</a>.</p>\n");
        commonErrors();
        for (JsonNode tag : openApi.path("tags")) {
            body.append("<h2>").append(text(tag.path("description"))).append("</h2>\n");
            fields(openApi.path("paths"))
                    .forEach(path -> fields(path.getValue())
                            .filter(operation ->
                                    operation.getValue().at("/tags/0").equals(tag.path("name")))
                            .forEach(operation -> operation(path.getKey(), operation)));
        }
        return Html.page(
                "Plant4j API",
                Html.resource(ApiPage.class, "api.css"),
                body.append("</main>").toString());
    }

    private void operation(String path, Map.Entry<String, JsonNode> operation) {
        JsonNode description = operation.getValue();
        body.append("<section><h3><b>")
                .append(operation.getKey().toUpperCase(Locale.ROOT))
                .append("</b> <code>")
                .append(Html.escape(path))
                .append("</code></h3>\n<p>")
                .append(text(description.path("summary")))
                .append("</p>\n");
        rows(description);
        example("Example request", description.at("/requestBody/content"));
        fields(description.path("responses"))
                .filter(response -> response.getKey().startsWith("2"))
                .forEach(response ->
                        example("Example response", response.getValue().path("content")));
        body.append("</section>\n");
    }

    /** The errors of every operation, once. */
    private void commonErrors() {
        operations().forEach(operation -> {
            Set<String> statuses = new TreeSet<>();
            operation.path("responses").fieldNames().forEachRemaining(statuses::add);
            if (common.isEmpty()) {
                common.addAll(statuses);
            }
            common.retainAll(statuses);
        });
        JsonNode responses =
                operations().map(each -> each.path("responses")).findFirst().orElse(openApi);
        body.append("<p>Errors of every operation:</p>\n<table>\n");
        common.removeIf(status -> status.startsWith("2"));
        common.forEach(status -> row(status, resolve(responses.path(status)).path("description")));
        body.append("</table>\n");
    }

    private Stream<JsonNode> operations() {
        return fields(openApi.path("paths"))
                .flatMap(path -> fields(path.getValue()).map(Map.Entry::getValue));
    }

    private void rows(JsonNode description) {
        body.append("<table>\n");
        for (JsonNode parameter : description.path("parameters")) {
            row(parameter.path("name").asText(), parameter.path("description"));
        }
        fields(description.path("responses"))
                .filter(response -> !common.contains(response.getKey()))
                .forEach(response ->
                        row(response.getKey(), resolve(response.getValue()).path("description")));
        body.append("</table>\n");
    }

    private void row(String name, JsonNode description) {
        body.append("<tr><td><code>")
                .append(Html.escape(name))
                .append("</code></td><td>")
                .append(text(description))
                .append("</td></tr>\n");
    }

    private void example(String title, JsonNode content) {
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

    /** Follows a {@code $ref} within the document. */
    private JsonNode resolve(JsonNode node) {
        JsonNode reference = node.path("$ref");
        return reference.isMissingNode() ? node : openApi.at(reference.asText().substring(1));
    }

    private static Stream<Map.Entry<String, JsonNode>> fields(JsonNode object) {
        return object.properties().stream();
    }

    private static String text(JsonNode node) {
        return Html.escape(node.asText());
    }
}
