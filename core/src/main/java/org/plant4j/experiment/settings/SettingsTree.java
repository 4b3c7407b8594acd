package org.plant4j.experiment.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.UserError;

/** Reads YAML settings into a tree, fills in environment variables, and merges trees. */
public final class SettingsTree {

    public static final ObjectMapper YAML = SettingsMapper.create();

    /** The method of word vectors that do not name one. */
    public static final String DEFAULT_VECTOR_METHOD = "ppmi";

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?}");

    private SettingsTree() {}

    /** Reads a file; {@code missing} is the error if there is none. */
    public static ObjectNode read(Path file, UserError missing) {
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
        if (parseValue(text, where) instanceof ObjectNode object) {
            return object;
        }
        throw new UserError("The file has no settings", where, "start with, for example, `extends: laat`");
    }

    private static JsonNode parseValue(String text, String where) {
        return SettingsParser.parse(text, where, scalar -> fillVariables(scalar, where));
    }

    /** Merges {@code above} into {@code below}: objects key by key, any other value replaces the one below. */
    public static void merge(ObjectNode below, ObjectNode above) {
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

    /** An override {@code path.to.key=value}; the value is YAML, as in a file, but must not have a comment. */
    public record SettingsOverride(String path, JsonNode value) {

        private static final Pattern COMMENT = Pattern.compile("(^|\\s)#");

        public static SettingsOverride parse(String text) {
            int equals = text.indexOf('=');
            if (equals < 1 || text.substring(equals + 1).isBlank()) {
                throw new UserError(
                        "'" + text + "' is not KEY=VALUE", "--set", "write it as, for example, training.epochs=5");
            }
            String key = text.substring(0, equals);
            String value = text.substring(equals + 1);
            boolean hasQuotes = value.contains("'") || value.contains("\"");
            if (!hasQuotes && COMMENT.matcher(value).find()) {
                throw new UserError(
                        "YAML ignores what follows '#' after a space",
                        "--set " + text,
                        "put the value in quotes: " + key + "='" + value + "'");
            }
            return new SettingsOverride(key, parseValue(value, "--set " + text));
        }
    }

    /** Applies an override {@code path.to.key=value}. */
    public static void set(ObjectNode tree, String text) {
        SettingsOverride override = SettingsOverride.parse(text);
        String[] keys = override.path().split("\\.", -1);
        ObjectNode node = tree;
        for (int i = 0; i < keys.length - 1; i++) {
            JsonNode next = node.get(keys[i]);
            node = next instanceof ObjectNode object ? object : node.putObject(keys[i]);
        }
        node.set(keys[keys.length - 1], override.value());
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
