package org.plant4j.corpus.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;
import org.plant4j.Span;
import org.plant4j.UserError;
import org.plant4j.support.DidYouMean;

/** Reads a document from a line of JSON. Types are checked, never converted; errors do not quote the document. */
final class JsonDocument {

    private static final List<String> OPTIONAL_FIELDS = List.of("codes", "evidence");

    private static final int MAX_LISTED = 12;

    private static final ObjectReader JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build()
            .reader()
            .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final String line;
    private final String where;
    private final TableLayout layout;
    private final CodeField codes;
    private final Optional<String> defaultId;
    private boolean hasId = true;

    /** {@code defaultId} is the id of a document without one; if it is empty, an id is required. */
    JsonDocument(String line, String where, TableLayout layout, CodeField codes, Optional<String> defaultId) {
        this.line = line;
        this.where = where;
        this.layout = layout;
        this.codes = codes;
        this.defaultId = defaultId;
    }

    /** Empty if the document belongs to another split than the filter selects. */
    Optional<Document> read(SplitFilter filter) {
        JsonNode json = parse();
        if (!filter.accepts(split(json))) {
            return Optional.empty();
        }
        return Optional.of(document(json));
    }

    private Document document(JsonNode json) {
        String text = string(json, layout.column(TableLayout.TEXT));
        Set<String> gold = codes.parse(codes(json), where);
        List<GoldEvidence> evidence = new ArrayList<>();
        for (JsonNode item : array(json, layout.column(TableLayout.EVIDENCE), false)) {
            evidence.add(evidence(item, text, gold));
        }
        rejectMisspelt(json);
        String id = id(json);
        return new Document(id, text, gold, evidence, layout.names(TableLayout.GROUP) ? group(json) : id);
    }

    /** Integers are accepted, as for ids. A document without a value is in no split. */
    private Optional<String> split(JsonNode json) {
        String name = layout.column(TableLayout.SPLIT);
        JsonNode value = json.path(name);
        if (!layout.names(TableLayout.SPLIT) || value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isTextual() && !value.isIntegralNumber()) {
            throw bad("\"" + name + "\" is not a string", "write the split in double quotes");
        }
        return Optional.of(value.asText());
    }

    private String group(JsonNode json) {
        String name = layout.column(TableLayout.GROUP);
        return json.path(name).isIntegralNumber() ? json.path(name).asText() : string(json, name);
    }

    /** Whether the line has an id. */
    boolean hasId() {
        return hasId;
    }

    private JsonNode parse() {
        try {
            JsonNode json = JSON.readTree(line);
            if (json.isObject()) {
                return json;
            }
            throw bad("Not a JSON object", "write one object {…} per line");
        } catch (JsonProcessingException e) {
            // The message may quote document text, so neither it nor the cause is passed on.
            int column = e.getLocation() == null ? 1 : e.getLocation().getColumnNr();
            if (e.getOriginalMessage().startsWith("Duplicate field")) {
                throw bad("A field occurs twice in one object, at column " + column, "remove one of them");
            }
            throw bad(
                    "Not valid JSON at column " + column,
                    "write one object {…} per line, with line breaks in strings as \\n");
        }
    }

    /** Integers are accepted as ids; other numbers have several spellings. */
    private String id(JsonNode json) {
        String name = layout.column(TableLayout.ID);
        JsonNode id = json.path(name);
        if (id.isMissingNode() && defaultId.isPresent()) {
            hasId = false;
            return defaultId.get();
        }
        return id.isIntegralNumber() ? id.asText() : string(json, name);
    }

    private List<String> codes(JsonNode json) {
        String name = layout.column(TableLayout.CODES);
        if (json.path(name).isTextual() && codes.splitsText()) {
            return List.of(json.path(name).textValue().split(Pattern.quote(codes.separator()), -1));
        }
        List<String> read = new ArrayList<>();
        for (JsonNode code : array(json, name, codes.required())) {
            if (!code.isTextual() || code.textValue().isBlank()) {
                // A number would lose digits: 250.00 is another code than 250.0.
                throw bad("A code is not a string, or is empty", "write codes as [\"I10\", \"250.00\"]");
            }
            read.add(code.textValue());
        }
        return read;
    }

    private GoldEvidence evidence(JsonNode json, String text, Set<String> gold) {
        if (!json.isObject()) {
            throw bad("Evidence is not an object", "write it as {\"code\": \"I10\", \"spans\": [[5, 17]]}");
        }
        String code = codes.normalize(string(json, "code"));
        if (!gold.contains(code)) {
            throw bad(
                    "Evidence for '" + code + "', which is not among the codes",
                    "add the code, or remove the evidence");
        }
        List<Span> spans = new ArrayList<>();
        for (JsonNode span : array(json, "spans", true)) {
            spans.add(span(span, text));
        }
        if (spans.isEmpty()) {
            throw bad("Evidence for '" + code + "' has no spans", "add its spans, or remove the evidence");
        }
        return new GoldEvidence(code, spans);
    }

    private Span span(JsonNode json, String text) {
        if (!json.isArray()
                || json.size() != 2
                || !json.get(0).isIntegralNumber()
                || !json.get(1).isIntegralNumber()) {
            throw badSpan("A span is not a pair of integers");
        }
        if (!json.get(0).canConvertToInt() || !json.get(1).canConvertToInt()) {
            throw badSpan(outside(text));
        }
        int start = json.get(0).intValue();
        int end = json.get(1).intValue();
        if (start < 0 || end > text.length()) {
            throw badSpan(outside(text));
        }
        if (end <= start) {
            throw badSpan("A span ends before it starts, or is empty");
        }
        if (splitsSurrogatePair(text, start) || splitsSurrogatePair(text, end)) {
            throw badSpan("A span begins or ends within a character, between the two halves of a surrogate pair");
        }
        return new Span(start, end);
    }

    private static String outside(String text) {
        return "A span is outside the text, which has " + text.length() + " characters";
    }

    private static boolean splitsSurrogatePair(String text, int index) {
        return index > 0
                && index < text.length()
                && Character.isSurrogatePair(text.charAt(index - 1), text.charAt(index));
    }

    private String string(JsonNode json, String name) {
        JsonNode value = json.path(name);
        if (!value.isMissingNode() && !value.isNull() && !value.isTextual()) {
            throw bad("\"" + name + "\" is not a string", "write it in double quotes");
        }
        if (value.asText("").isBlank()) {
            throw bad("\"" + name + "\" is missing or empty; found: " + listed(json), remedy(json, name));
        }
        return value.textValue();
    }

    private JsonNode array(JsonNode json, String name, boolean required) {
        JsonNode value = json.path(name);
        boolean absent = value.isMissingNode() || value.isNull();
        if (absent ? required : !value.isArray()) {
            String what = absent ? "\" is missing; found: " + listed(json) : "\" is not an array";
            throw bad("\"" + name + what, absent ? remedy(json, name) : "write it as [ … ]");
        }
        return value;
    }

    /** Other fields are ignored, but the misspelt name of an optional one would lose codes or evidence. */
    private void rejectMisspelt(JsonNode json) {
        for (String name : OPTIONAL_FIELDS) {
            if (!layout.names(name) && !json.has(name)) {
                DidYouMean.closest(name, names(json)).ifPresent(found -> {
                    throw bad("Unknown field \"" + found + "\"", remedy(json, name));
                });
            }
        }
    }

    private static String remedy(JsonNode json, String name) {
        return DidYouMean.closest(name, names(json))
                .filter(found -> !found.equals(name))
                .map(found -> "rename \"" + found + "\" to \"" + name + "\"")
                .orElse("add \"" + name + "\", or remove the line");
    }

    private static List<String> names(JsonNode json) {
        List<String> names = new ArrayList<>();
        json.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** The names for an error message; what does not look like a name may be document text. */
    private static String listed(JsonNode json) {
        return names(json).stream()
                .map(name -> name.matches("[\\w.:-]{1,40}") ? name : "…")
                .limit(MAX_LISTED)
                .toList()
                .toString();
    }

    private UserError badSpan(String what) {
        return bad(what, "write spans as [start, end] in UTF-16 code units, counted from 0");
    }

    private UserError bad(String what, String remedy) {
        return new UserError(what, where, remedy);
    }
}
