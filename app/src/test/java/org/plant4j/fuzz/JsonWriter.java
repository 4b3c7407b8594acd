package org.plant4j.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Writes a JSON tree in one of the many ways that mean the same: any order of fields, white space and escapes. */
final class JsonWriter {

    private final FuzzInput input;
    private final List<String> spaces;
    private final String alwaysEscaped;
    private final double escapes;
    private final StringBuilder out = new StringBuilder();

    private JsonWriter(FuzzInput input, List<String> spaces, String alwaysEscaped) {
        this.input = input;
        this.spaces = spaces;
        this.alwaysEscaped = alwaysEscaped;
        this.escapes = input.pick(0.0, 0.0, 0.1, 1.0);
    }

    static String write(JsonNode tree, FuzzInput input) {
        return write(tree, input, List.of("", " ", "\n", "\r\n", "\t", "   "), "");
    }

    /** Without line breaks between tokens, for JSON Lines. */
    static String writeLine(JsonNode tree, FuzzInput input) {
        return write(tree, input, List.of("", " ", "\t", "   "), "");
    }

    /** As a flow mapping of YAML, in which neither tabs nor line breaks may follow a key. */
    static String writeFlow(JsonNode tree, FuzzInput input) {
        return write(tree, input, List.of(" ", "  "), "\u0085\u2028\u2029"); // line breaks in YAML
    }

    private static String write(JsonNode tree, FuzzInput input, List<String> spaces, String alwaysEscaped) {
        JsonWriter writer = new JsonWriter(input, input.chance(0.5) ? List.of("") : spaces, alwaysEscaped);
        writer.value(tree);
        return writer.out.toString();
    }

    private void value(JsonNode node) {
        space();
        if (node.isObject()) {
            List<String> names = new ArrayList<>();
            node.fieldNames().forEachRemaining(names::add);
            Collections.shuffle(names, input.random());
            out.append('{');
            for (int i = 0; i < names.size(); i++) {
                out.append(i == 0 ? "" : ",");
                space();
                string(names.get(i));
                space();
                out.append(':');
                value(node.get(names.get(i)));
            }
            out.append('}');
        } else if (node.isArray()) {
            out.append('[');
            for (int i = 0; i < node.size(); i++) {
                out.append(i == 0 ? "" : ",");
                value(node.get(i));
            }
            out.append(']');
        } else if (node.isTextual()) {
            string(node.asText());
        } else {
            out.append(node);
        }
        space();
    }

    private void space() {
        out.append(input.pick(spaces));
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            boolean special = c < ' ' || alwaysEscaped.indexOf(c) >= 0;
            if (special || c == '"' || c == '\\' || (Character.isSurrogate(c) && !pair) || input.chance(escapes)) {
                escape(c);
                if (pair) {
                    escape(text.charAt(++i)); // half an escaped pair cannot be encoded
                }
            } else if (pair) {
                out.append(c).append(text.charAt(++i));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private void escape(char c) {
        String hex = Integer.toHexString(c | 0x10000).substring(1);
        out.append("\\u").append(input.chance(0.5) ? hex : hex.toUpperCase(Locale.ROOT));
    }
}
