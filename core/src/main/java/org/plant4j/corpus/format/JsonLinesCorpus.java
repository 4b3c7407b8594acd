package org.plant4j.corpus.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.GoldEvidence;
import org.plant4j.corpus.Span;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;

/**
 * A JSON Lines file, one document per line: {@code {"id": "1", "text": "…", "codes": ["I10"], "evidence": [{"code":
 * "I10", "spans": [[5, 17]]}]}}. Spans are in UTF-16 code units; {@code evidence} is optional.
 */
public final class JsonLinesCorpus implements Corpus {

    static final CorpusFormat FORMAT = new CorpusFormat("jsonl", CodeField.OPTION_NAMES, (path, options, badRows) -> {
        CodeField codes = CodeField.of(options);
        return OpenedCorpus.ofPaths(path, file -> new JsonLinesCorpus(file, codes, badRows));
    });

    private static final ObjectReader JSON =
            JsonMapper.builder().build().reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final Path file;
    private final CodeField codes;
    private final BadRowHandler badRows;

    public JsonLinesCorpus(Path file, CodeField codes, BadRowHandler badRows) {
        this.file = file;
        this.codes = codes;
        this.badRows = badRows;
    }

    /** A document in this format, without the line break. */
    public static String toJson(Document document) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("id", document.id()).put("text", document.text());
        ArrayNode codes = json.putArray("codes");
        document.codes().forEach(codes::add);
        if (!document.evidence().isEmpty()) {
            ArrayNode all = json.putArray("evidence");
            for (GoldEvidence evidence : document.evidence()) {
                ArrayNode spans = all.addObject().put("code", evidence.code()).putArray("spans");
                evidence.spans()
                        .forEach(span -> spans.addArray().add(span.start()).add(span.end()));
            }
        }
        return json.toString();
    }

    @Override
    public String name() {
        return String.valueOf(file.getFileName());
    }

    @Override
    public Stream<Document> documents() {
        return TextFiles.lines(file, badRows).flatMap(line -> badRows.tryRead(() -> document(line)).stream());
    }

    private Document document(TextFiles.Line line) {
        JsonNode json = parse(line);
        String text = field(json, "text", line);
        List<String> codeTexts = new ArrayList<>();
        array(json, "codes", codes.required(), line).forEach(code -> codeTexts.add(code.asText()));
        Set<String> gold = codes.parse(codeTexts, line.where());
        List<GoldEvidence> evidence = new ArrayList<>();
        for (JsonNode item : array(json, "evidence", false, line)) {
            evidence.add(evidence(item, text, gold, line));
        }
        return new Document(field(json, "id", line), text, gold, evidence);
    }

    private static JsonNode parse(TextFiles.Line line) {
        try {
            JsonNode json = JSON.readTree(line.text());
            if (json.isObject()) {
                return json;
            }
            throw bad("Not a JSON object", line, "write one object {…} per line");
        } catch (JsonProcessingException e) {
            // The message may quote document text, so neither it nor the cause is passed on.
            int column = e.getLocation() == null ? 1 : e.getLocation().getColumnNr();
            throw bad(
                    "Not valid JSON at column " + column,
                    line,
                    "write one object {…} per line, with line breaks in strings as \\n");
        }
    }

    private GoldEvidence evidence(JsonNode json, String text, Set<String> gold, TextFiles.Line line) {
        String code = codes.normalize(field(json, "code", line));
        if (!gold.contains(code)) {
            throw bad(
                    "Evidence for '" + code + "', which is not among the codes",
                    line,
                    "add the code, or remove the evidence");
        }
        List<Span> spans = new ArrayList<>();
        for (JsonNode span : array(json, "spans", true, line)) {
            int start = span.path(0).asInt(-1);
            int end = span.path(1).asInt(-1);
            if (span.size() != 2 || start < 0 || end < start || end > text.length()) {
                throw bad(
                        "A span is outside the text, which has " + text.length() + " characters",
                        line,
                        "write spans as [start, end] in UTF-16 code units, counted from 0");
            }
            spans.add(new Span(start, end));
        }
        return new GoldEvidence(code, spans);
    }

    private static String field(JsonNode json, String name, TextFiles.Line line) {
        JsonNode value = json.path(name);
        if (!value.isValueNode() || value.asText("").isBlank()) {
            throw bad("\"" + name + "\" is missing or empty; found: " + names(json), line, remedy(json, name));
        }
        return value.asText();
    }

    private static JsonNode array(JsonNode json, String name, boolean required, TextFiles.Line line) {
        JsonNode value = json.path(name);
        boolean absent = value.isMissingNode() || value.isNull();
        if (absent ? required : !value.isArray()) {
            String what = absent ? "\" is missing; found: " + names(json) : "\" is not an array";
            throw bad("\"" + name + what, line, absent ? remedy(json, name) : "write it as [ … ]");
        }
        return value;
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

    private static UserError bad(String what, TextFiles.Line line, String remedy) {
        return new UserError(what, line.where(), remedy);
    }
}
