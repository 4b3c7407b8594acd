package org.plant4j.experiment.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.StringReader;
import java.util.Iterator;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.plant4j.UserError;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;

/**
 * Parses one YAML document with the part of YAML that settings need. Only plain {@code 5}, {@code 0.5}, {@code 1e-3},
 * {@code true}, {@code false} and {@code null} are more than text: {@code 010}, {@code 1_000}, {@code 0x1F}, {@code yes}
 * or {@code on}, which YAML versions read differently, stay text and do not fit a number or a boolean. Anchors, aliases,
 * tags and duplicate keys are errors.
 */
final class SettingsParser {

    private static final int MAX_CHARACTERS = 1 << 20;
    private static final int MAX_DEPTH = 50;

    private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]{0,17}");
    private static final Pattern DECIMAL =
            Pattern.compile("[-+]?((0|[1-9][0-9]*)(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]{1,3})?");

    private final Iterator<Event> events;
    private final String where;
    private final UnaryOperator<String> variables;

    private SettingsParser(Iterator<Event> events, String where, UnaryOperator<String> variables) {
        this.events = events;
        this.where = where;
        this.variables = variables;
    }

    /**
     * Parses a document.
     *
     * @param where the file, for error messages, which add the line
     * @param variables replaces environment variables in a scalar, before its type is known
     */
    static JsonNode parse(String text, String where, UnaryOperator<String> variables) {
        if (text.length() > MAX_CHARACTERS) {
            throw new UserError(
                    "The YAML has more than " + MAX_CHARACTERS + " characters",
                    where,
                    "check that it is the right file");
        }
        try {
            Iterator<Event> events =
                    new Yaml(new LoaderOptions()).parse(new StringReader(text)).iterator();
            return new SettingsParser(events, where, variables).document();
        } catch (MarkedYAMLException e) {
            throw invalid(e.getProblem(), place(where, e.getProblemMark()), e);
        } catch (YAMLException e) {
            throw invalid(e.getMessage(), where, e);
        }
    }

    private static UserError invalid(@Nullable String problem, String where, YAMLException cause) {
        return new UserError(
                "Invalid YAML: " + String.valueOf(problem).lines().findFirst().orElse(""),
                where,
                "fix the line; keys and values must be separated by ': '",
                cause);
    }

    private JsonNode document() {
        events.next(); // start of the stream
        if (events.next().is(Event.ID.StreamEnd)) {
            return NullNode.getInstance();
        }
        JsonNode root = node(events.next(), 0);
        events.next(); // end of the document
        Event next = events.next();
        if (!next.is(Event.ID.StreamEnd)) {
            throw error("A second YAML document begins here", next, "write one document per file; remove the '---'");
        }
        return root;
    }

    private JsonNode node(Event event, int depth) {
        if (event instanceof AliasEvent) {
            throw error("YAML aliases are not supported", event, "write the value itself");
        }
        if (event instanceof NodeEvent node && node.getAnchor() != null) {
            throw error("YAML anchors are not supported", event, "remove '&" + node.getAnchor() + "'");
        }
        if (depth > MAX_DEPTH) {
            throw error("The settings are nested too deeply", event, "use at most " + MAX_DEPTH + " levels");
        }
        if (event instanceof MappingStartEvent mapping) {
            checkTag(mapping.getTag(), event);
            return mapping(depth);
        }
        if (event instanceof SequenceStartEvent sequence) {
            checkTag(sequence.getTag(), event);
            return sequence(depth);
        }
        ScalarEvent scalar = (ScalarEvent) event;
        checkTag(scalar.getTag(), event);
        String text = variables.apply(scalar.getValue());
        return scalar.isPlain() ? resolve(text) : TextNode.valueOf(text);
    }

    private void checkTag(@Nullable String tag, Event event) {
        if (tag != null) {
            throw error("YAML tags are not supported", event, "remove '" + tag + "'");
        }
    }

    private ObjectNode mapping(int depth) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (Event event = events.next(); !event.is(Event.ID.MappingEnd); event = events.next()) {
            if (!(event instanceof ScalarEvent key) || key.getAnchor() != null || key.getTag() != null) {
                throw error("A key is not a name", event, "write it as plain text, without anchor or tag");
            }
            if (object.has(key.getValue())) {
                throw error("The key '" + key.getValue() + "' occurs twice", event, "remove one of them");
            }
            object.set(key.getValue(), node(events.next(), depth + 1));
        }
        return object;
    }

    private ArrayNode sequence(int depth) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (Event event = events.next(); !event.is(Event.ID.SequenceEnd); event = events.next()) {
            array.add(node(event, depth + 1));
        }
        return array;
    }

    /** The value of a scalar without quotes. */
    static JsonNode resolve(String plain) {
        return switch (plain) {
            case "", "null", "~" -> NullNode.getInstance();
            case "true" -> BooleanNode.TRUE;
            case "false" -> BooleanNode.FALSE;
            default -> numberOrText(plain);
        };
    }

    private static JsonNode numberOrText(String plain) {
        if (INTEGER.matcher(plain).matches()) {
            long value = Long.parseLong(plain);
            return value == (int) value ? IntNode.valueOf((int) value) : LongNode.valueOf(value);
        }
        if (DECIMAL.matcher(plain).matches() && plain.matches(".*[.eE].*")) {
            double value = Double.parseDouble(plain);
            return Double.isFinite(value) ? DoubleNode.valueOf(value) : TextNode.valueOf(plain);
        }
        return TextNode.valueOf(plain);
    }

    private UserError error(String what, Event event, String remedy) {
        return new UserError(what, place(where, event.getStartMark()), remedy);
    }

    private static String place(String where, @Nullable Mark mark) {
        return mark == null ? where : where + ":" + (mark.getLine() + 1);
    }
}
