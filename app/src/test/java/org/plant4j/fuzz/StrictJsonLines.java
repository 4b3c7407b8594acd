package org.plant4j.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;
import org.plant4j.Span;

/** An independent reading of JSON Lines that accepts nothing doubtful. */
final class StrictJsonLines {

    private static final ObjectReader JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build()
            .reader()
            .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private static final Set<String> FIELDS = Set.of("id", "text", "codes", "evidence");

    /** Thrown for a line that no reader may accept. */
    private static final class Invalid extends Exception {
        private static final long serialVersionUID = 1;
    }

    private final String defaultId;
    private boolean doubtful;
    private boolean idGiven = true;

    private StrictJsonLines(String defaultId) {
        this.defaultId = defaultId;
    }

    static Verdict check(byte[] bytes) {
        Optional<String> text = decode(bytes);
        if (text.isEmpty()) {
            return Verdict.REFUSE;
        }
        Verdict verdict = Verdict.read(List.of());
        Set<String> ids = new HashSet<>();
        int number = 0;
        Set<Boolean> idGiven = new HashSet<>();
        for (String line : text.get().split("\r\n|\n|\r", -1)) {
            number++;
            if (!line.isBlank()) {
                StrictJsonLines reader = new StrictJsonLines("documents-" + number);
                Verdict next = reader.checkLine(line);
                idGiven.add(reader.idGiven);
                boolean repeated = next.documents().stream().anyMatch(document -> !ids.add(document.id()));
                verdict = verdict.and(repeated ? next.orRefuse() : next);
            }
        }
        return idGiven.size() > 1 ? Verdict.REFUSE : verdict;
    }

    /** Text in UTF-8 without its byte order mark; empty if it is not UTF-8. */
    static Optional<String> decode(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return Optional.of(text.startsWith("\uFEFF") ? text.substring(1) : text);
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private Verdict checkLine(String line) {
        try {
            JsonNode json = JSON.readTree(line);
            require(json.isObject());
            json.fieldNames().forEachRemaining(name -> doubtful |= !FIELDS.contains(name)); // perhaps misspelt
            String text = string(json.path("text"));
            Set<String> codes = codes(json.path("codes"));
            List<GoldEvidence> evidence = new ArrayList<>();
            JsonNode all = json.path("evidence");
            require(all.isMissingNode() || all.isNull() || all.isArray());
            doubtful |= all.isNull();
            for (JsonNode item : all) {
                evidence.add(evidence(item, text, codes));
            }
            idGiven = json.has("id");
            String id = idGiven ? string(json.path("id")) : defaultId;
            doubtful |= hasControl(id) || codes.stream().anyMatch(StrictJsonLines::hasControl);
            Verdict verdict = Verdict.read(List.of(new Document(id, text, codes, evidence)));
            return doubtful ? verdict.orRefuse() : verdict;
        } catch (JsonProcessingException | Invalid e) {
            return Verdict.REFUSE;
        }
    }

    /** Tables that store one id or code per line cannot contain control characters. */
    static boolean hasControl(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    private static void require(boolean valid) throws Invalid {
        if (!valid) {
            throw new Invalid();
        }
    }

    /** A string that is not blank; a whole number or a lone surrogate is doubtful. */
    private String string(JsonNode node) throws Invalid {
        require(node.isTextual() || node.isIntegralNumber());
        String text = node.asText();
        require(!text.isBlank());
        doubtful |= !node.isTextual() || !StandardCharsets.UTF_8.newEncoder().canEncode(text);
        return text;
    }

    private Set<String> codes(JsonNode array) throws Invalid {
        require(array.isArray());
        Set<String> codes = new TreeSet<>();
        for (JsonNode code : array) {
            require(code.isTextual());
            doubtful |= code.asText().isBlank()
                    || !StandardCharsets.UTF_8.newEncoder().canEncode(code.asText());
            if (!code.asText().isBlank()) {
                codes.add(code.asText().strip());
            }
        }
        require(!codes.isEmpty());
        return codes;
    }

    private GoldEvidence evidence(JsonNode json, String text, Set<String> codes) throws Invalid {
        require(json.path("code").isTextual() && json.path("spans").isArray());
        String code = json.path("code").asText().strip();
        require(codes.contains(code));
        List<Span> spans = new ArrayList<>();
        for (JsonNode span : json.path("spans")) {
            require(span.isArray() && span.size() == 2);
            spans.add(span(span.get(0), span.get(1), text));
        }
        doubtful |= spans.isEmpty();
        return new GoldEvidence(code, spans);
    }

    private Span span(JsonNode start, JsonNode end, String text) throws Invalid {
        require(start.isIntegralNumber() && start.canConvertToInt() && end.isIntegralNumber() && end.canConvertToInt());
        int from = start.intValue();
        int to = end.intValue();
        require(0 <= from && from <= to && to <= text.length());
        require(!dividesPair(text, from) && !dividesPair(text, to));
        doubtful |= from == to;
        return new Span(from, to);
    }

    private static boolean dividesPair(String text, int at) {
        return at > 0
                && at < text.length()
                && Character.isHighSurrogate(text.charAt(at - 1))
                && Character.isLowSurrogate(text.charAt(at));
    }
}
