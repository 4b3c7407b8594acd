package org.plant4j.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The OpenAPI description as a contract: fails if a response has a status, a content type or a field that is not
 * described. {@link RunningServer} checks every response with it.
 */
public final class OpenApiContract {

    private static final String FILE = "/org/plant4j/server/page/openapi.json";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Statuses that the server may send before it knows the operation; every operation has to describe them. */
    static final Map<String, String> COMMON = Map.of(
            "400", "BadRequest",
            "403", "Forbidden",
            "414", "UriTooLong",
            "421", "Misdirected",
            "431", "HeaderTooLarge",
            "500", "InternalError",
            "503", "ServiceUnavailable");

    private static final Set<Integer> UNKNOWN_PATH = Set.of(400, 403, 404, 414, 421, 431, 503);
    private static final int METHOD_NOT_ALLOWED = 405;

    /** The contract of this build. */
    public static final OpenApiContract CURRENT = new OpenApiContract();

    private record PathTemplate(String template, Pattern pattern) {}

    private final JsonNode api;
    private final List<PathTemplate> templates = new ArrayList<>();
    private final Map<String, JsonSchema> schemas = new ConcurrentHashMap<>();

    private OpenApiContract() {
        try (InputStream in = OpenApiContract.class.getResourceAsStream(FILE)) {
            api = MAPPER.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        api.path("paths").fieldNames().forEachRemaining(each -> templates.add(new PathTemplate(each, pattern(each))));
        templates.sort(
                Comparator.comparingInt((PathTemplate each) -> each.template().contains("{") ? 1 : 0)
                        .thenComparing(each -> -each.template().length()));
    }

    private static Pattern pattern(String template) {
        return Pattern.compile(Pattern.quote(template).replaceAll("\\{[^}]*}", "\\\\E[^/]+\\\\Q"));
    }

    JsonNode description() {
        return api;
    }

    public void check(HttpResponse<String> response) {
        check(
                response.request().method(),
                response.uri().getRawPath(),
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                response.body());
    }

    /** Fails with what to change in the description; {@code path} is raw and without the query. */
    void check(String method, String path, int status, String contentType, String body) {
        String verb = method.equals("HEAD") ? "get" : method.toLowerCase(Locale.ROOT);
        Optional<String> template = template(path);
        if (template.isEmpty()) {
            require(
                    UNKNOWN_PATH.contains(status),
                    method + " " + path + " answered " + status,
                    "the path is not described: add it to \"paths\"");
            return;
        }
        if (verb.equals("options") && status == 204) {
            return; // the browser's question before a cross-origin request, which OpenAPI does not describe
        }
        String operation = verb + " " + template.get();
        JsonNode described = api.path("paths").path(template.get()).path(verb);
        if (described.isMissingNode()) {
            require(
                    status == METHOD_NOT_ALLOWED || UNKNOWN_PATH.contains(status),
                    operation + " answered " + status,
                    "the method is not described: add \"" + verb + "\" to paths → " + template.get());
            return;
        }
        JsonNode response = resolve(described.path("responses").path(String.valueOf(status)));
        require(
                !response.isMissingNode(),
                operation + " answered " + status + ": " + body,
                "this status is not described: add to paths → " + template.get() + " → " + verb + " → responses: \""
                        + status + "\": {\"$ref\": \"#/components/responses/…\"}");
        if (!method.equals("HEAD") && response.has("content")) {
            checkBody(operation, status, contentType.split(";", 2)[0].strip(), body, response.path("content"));
        }
    }

    private void checkBody(String operation, int status, String type, String body, JsonNode content) {
        JsonNode described = content.path(type);
        require(
                !described.isMissingNode(),
                operation + " answered " + status + " with content type " + type,
                "only these are described: " + names(content));
        if (!type.endsWith("json")) {
            return;
        }
        JsonSchema schema =
                schemas.computeIfAbsent(operation + status + type, each -> compile(strict(described.path("schema"))));
        List<String> errors = schema.validate(parse(body)).stream()
                .map(ValidationMessage::getMessage)
                .toList();
        require(
                errors.isEmpty(),
                operation + " answered " + status + ": " + body,
                "the body does not match its schema:\n  " + String.join("\n  ", errors)
                        + "\ndescribe each field under \"properties\", list it under \"required\" if it is always"
                        + " present, and give it the type [\"…\", \"null\"] if it can be null");
    }

    private static void require(boolean holds, String what, String remedy) {
        if (!holds) {
            throw new AssertionError(what + "\nopenapi.json: " + remedy);
        }
    }

    private static JsonNode parse(String body) {
        try {
            return MAPPER.readTree(body);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + body, e);
        }
    }

    private static JsonSchema compile(JsonNode schema) {
        SchemaValidatorsConfig config =
                SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(schema, config);
    }

    Optional<String> template(String path) {
        // The server ignores a slash at the end.
        String route = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return templates.stream()
                .filter(each -> each.pattern().matcher(route).matches())
                .map(PathTemplate::template)
                .findFirst();
    }

    /** Follows a {@code $ref}. */
    JsonNode resolve(JsonNode node) {
        return node.has("$ref") ? api.at(node.path("$ref").asText().substring(1)) : node;
    }

    /** The schema without references and {@code allOf}, and with fields that are not described forbidden. */
    JsonNode strict(JsonNode schema) {
        JsonNode resolved = resolve(schema);
        if (!resolved.isObject()) {
            return resolved;
        }
        ObjectNode out = MAPPER.createObjectNode();
        resolved.properties().forEach(each -> {
            switch (each.getKey()) {
                case "properties" ->
                    each.getValue()
                            .properties()
                            .forEach(property -> out.withObjectProperty("properties")
                                    .set(property.getKey(), strict(property.getValue())));
                case "items", "additionalProperties" -> out.set(each.getKey(), strict(each.getValue()));
                case "allOf" -> each.getValue().forEach(part -> merge(out, strict(part)));
                case "oneOf", "anyOf" ->
                    each.getValue()
                            .forEach(part -> out.withArrayProperty(each.getKey())
                                    .add(part.has("properties") || part.has("$ref") ? strict(part) : part));
                default -> merge(out, MAPPER.createObjectNode().set(each.getKey(), each.getValue()));
            }
        });
        if (out.has("properties") && !out.has("additionalProperties")) {
            out.put("additionalProperties", false);
        }
        return out;
    }

    /** Adds the keywords of another schema; properties and required fields are joined. */
    private static void merge(ObjectNode out, JsonNode part) {
        part.properties().forEach(each -> {
            switch (each.getKey()) {
                case "properties" -> out.withObjectProperty("properties").setAll((ObjectNode) each.getValue());
                case "required" -> each.getValue().forEach(out.withArrayProperty("required")::add);
                default -> out.set(each.getKey(), each.getValue());
            }
        });
    }

    private static String names(JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).collect(Collectors.joining(", "));
    }
}
