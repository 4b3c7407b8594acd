package org.plant4j.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.support.UserError;

/** Reads YAML settings into a tree, fills in environment variables, and merges trees. */
public final class SettingsTree {

    static final ObjectMapper YAML = YAMLMapper.builder(new YAMLFactory()
                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                    .disable(YAMLGenerator.Feature.USE_NATIVE_TYPE_ID) // write `type: laat`, not `!<laat>`
                    .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES))
            .addModule(new Jdk8Module())
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** The method of word vectors that do not name one. */
    static final String DEFAULT_VECTOR_METHOD = "ppmi";

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?}");

    private SettingsTree() {}

    /** Reads a file; {@code missing} is the error if there is none. */
    static ObjectNode read(Path file, UserError missing) {
        if (!Files.exists(file)) {
            throw missing;
        }
        try {
            return parse(Files.readString(file), file.toString());
        } catch (IOException e) {
            throw new UserError("The file cannot be read", file.toString(), "it must be a UTF-8 text file", e);
        }
    }

    /** Parses YAML and replaces {@code ${NAME}} and {@code ${NAME:default}} by environment variables. */
    public static ObjectNode parse(String text, String where) {
        try {
            JsonNode node = YAML.readTree(text);
            if (!(node instanceof ObjectNode object)) {
                throw new UserError("The file has no settings", where, "start with, for example, `extends: laat`");
            }
            return fillVariables(object, where);
        } catch (JsonProcessingException e) {
            String line = e.getLocation() == null ? "" : ":" + e.getLocation().getLineNr();
            throw new UserError(
                    "Invalid YAML: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    where + line,
                    "fix the line; keys and values must be separated by ': '",
                    e);
        }
    }

    /** Merges {@code above} into {@code below}: objects key by key, any other value replaces the one below. */
    static void merge(ObjectNode below, ObjectNode above) {
        // The settings of another model type or vector method do not apply to this one.
        JsonNode type = above.path("type");
        boolean otherType =
                !type.isMissingNode() && below.has("type") && !below.get("type").equals(type);
        boolean otherMethod = above.has("method")
                && !below.path("method")
                        .asText(DEFAULT_VECTOR_METHOD)
                        .equals(above.get("method").asText());
        if (otherType || otherMethod) {
            below.removeAll();
        }
        for (Map.Entry<String, JsonNode> entry : above.properties()) {
            JsonNode old = below.get(entry.getKey());
            if (old instanceof ObjectNode oldObject && entry.getValue() instanceof ObjectNode newObject) {
                merge(oldObject, newObject);
            } else {
                below.set(entry.getKey(), entry.getValue().deepCopy());
            }
        }
    }

    /** Applies an override {@code path.to.key=value}. */
    static void set(ObjectNode tree, String override) {
        int equals = override.indexOf('=');
        if (equals < 1 || override.substring(equals + 1).isBlank()) {
            throw new UserError(
                    "'" + override + "' is not KEY=VALUE", "--set", "write it as, for example, training.epochs=5");
        }
        String[] keys = override.substring(0, equals).split("\\.", -1);
        ObjectNode node = tree;
        for (int i = 0; i < keys.length - 1; i++) {
            JsonNode next = node.get(keys[i]);
            node = next instanceof ObjectNode object ? object : node.putObject(keys[i]);
        }
        try {
            node.set(keys[keys.length - 1], YAML.readTree(override.substring(equals + 1)));
        } catch (JsonProcessingException e) {
            throw new UserError("The value of '" + override + "' is not valid YAML", "--set", "quote the value", e);
        }
    }

    private static ObjectNode fillVariables(ObjectNode node, String where) {
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            entry.setValue(fillVariables(entry.getValue(), where));
        }
        return node;
    }

    private static JsonNode fillVariables(JsonNode value, String where) {
        if (value instanceof ObjectNode object) {
            return fillVariables(object, where);
        }
        if (value.isArray()) {
            ArrayNode filled = YAML.createArrayNode();
            value.forEach(item -> filled.add(fillVariables(item, where)));
            return filled;
        }
        return value.isTextual() ? TextNode.valueOf(fillVariables(value.asText(), where)) : value;
    }

    private static String fillVariables(String text, String where) {
        return VARIABLE.matcher(text).replaceAll(match -> {
            String value = System.getenv(match.group(1));
            if (value == null && match.group(2) == null) {
                throw new UserError(
                        "The environment variable " + match.group(1) + " is not set",
                        where,
                        "set it, for example: export " + match.group(1) + "=/path");
            }
            return Matcher.quoteReplacement(value == null ? match.group(2) : value);
        });
    }
}
