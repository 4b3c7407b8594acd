package org.plant4j.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.plant4j.Band;
import org.plant4j.DomainCheck;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.Suggestion;
import org.plant4j.UserError;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.fhir.FhirLimits;
import org.plant4j.fhir.FhirService;

/** FHIR resources: odd narratives, attachments and references, deep nesting. */
final class FhirTarget implements FuzzTarget {

    /** In every text, and never in an error. */
    private static final String SECRET = "Secretword";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final FhirService service = new FhirService(FhirLimits.NONE);
    private final List<String> coded = new ArrayList<>();

    FhirTarget(Path unused) {}

    @Override
    public String name() {
        return "fhir";
    }

    @Override
    public Outcome test(FuzzInput input) throws JsonProcessingException {
        List<String> texts = new ArrayList<>();
        JsonNode resource = resource(texts, input);
        coded.clear();
        if (input.chance(0.3)) {
            String json = JsonWriter.write(resource, input);
            input.step("code " + json);
            FuzzInput.accepted(() -> service.code(json, this::code));
            SilentDifference.check(texts, coded);
            return Outcome.SAME;
        }
        for (int n = input.between(1, 3); n > 0; n--) {
            resource = input.chance(0.15) ? oddStructure((ObjectNode) resource, input) : mutated(resource, input);
        }
        String json = JsonWriter.write(resource, input);
        codeMutated(input.chance(0.1) ? damaged(json, input) : json, input);
        return Outcome.ACCEPTED;
    }

    private static JsonNode mutated(JsonNode resource, FuzzInput input) {
        JsonNode mutated = JsonMutator.mutate(resource, input);
        return mutated.isObject() ? mutated : resource;
    }

    private static String damaged(String json, FuzzInput input) {
        return new String(ByteMutator.mutate(json.getBytes(StandardCharsets.UTF_8), input), StandardCharsets.UTF_8);
    }

    /** The answer is a resource, or an error that does not quote the document. */
    private void codeMutated(String json, FuzzInput input) throws JsonProcessingException {
        input.step("code " + json);
        try {
            JsonNode bundle = JSON.readTree(service.code(json, this::code));
            SilentDifference.check("Bundle", bundle.path("resourceType").asText());
        } catch (UserError refusal) {
            if (String.valueOf(refusal).contains(SECRET)
                    || String.valueOf(refusal.getCause()).contains(SECRET)) {
                throw new AssertionError("the error quotes the document: " + refusal.getMessage(), refusal);
            }
            throw refusal;
        }
    }

    /** Codes each document with one piece of evidence, its first word. */
    private CodedDocument code(List<SourceDocument> documents) {
        List<Evidence> evidence = new ArrayList<>();
        for (SourceDocument document : documents) {
            coded.add(document.text());
            int end = Math.min(3, document.text().length());
            evidence.add(new Evidence(
                    new Span(0, end), document.text().substring(0, end), 0.5, Set.of(), Optional.of(document.id())));
        }
        Suggestion suggestion = new Suggestion("J45.909", "Asthma", 0.9, 0.9, Band.SUGGEST, true, evidence);
        return new CodedDocument("fuzz", "0123456789ab", DomainCheck.IN_DOMAIN, List.of(suggestion));
    }

    private static ObjectNode resource(List<String> texts, FuzzInput input) {
        return switch (input.below(3)) {
            case 0 -> documentReference("d1", texts, input);
            case 1 -> composition("c1", texts, input);
            default -> {
                ObjectNode bundle =
                        JSON.createObjectNode().put("resourceType", "Bundle").put("type", "collection");
                ArrayNode entries = bundle.putArray("entry");
                for (int n = input.between(1, 3); n > 0; n--) {
                    String id = "r" + n;
                    entries.addObject()
                            .put("fullUrl", "http://example.org/" + id)
                            .set(
                                    "resource",
                                    input.chance(0.5)
                                            ? documentReference(id, texts, input)
                                            : composition(id, texts, input));
                }
                yield bundle;
            }
        };
    }

    private static ObjectNode documentReference(String id, List<String> texts, FuzzInput input) {
        ObjectNode resource = JSON.createObjectNode()
                .put("resourceType", "DocumentReference")
                .put("id", id)
                .put("status", "current");
        resource.putObject("subject").put("reference", "Patient/p");
        ArrayNode content = resource.putArray("content");
        for (int n = input.between(1, 2); n > 0; n--) {
            String text = OddText.valid(input, 12) + " " + SECRET;
            texts.add(text);
            Charset charset = input.pick(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE);
            String type = charset.equals(StandardCharsets.UTF_8) ? "text/plain" : "text/plain; charset=UTF-16LE";
            content.addObject()
                    .putObject("attachment")
                    .put("contentType", type)
                    .put("data", Base64.getEncoder().encodeToString(text.getBytes(charset)));
        }
        return resource;
    }

    private static ObjectNode composition(String id, List<String> texts, FuzzInput input) {
        ObjectNode resource = JSON.createObjectNode()
                .put("resourceType", "Composition")
                .put("id", id)
                .put("status", "final")
                .put("title", "Report")
                .put("date", "2026-01-02");
        resource.putObject("type").put("text", "Report");
        resource.putArray("author").addObject().put("display", "A doctor");
        resource.putObject("subject").put("reference", "Patient/p");
        ObjectNode section = resource.putArray("section").addObject();
        for (int n = input.between(1, 2); n > 0; n--) {
            String text = OddText.word(input) + " " + SECRET;
            texts.add(text);
            section.put("title", "History")
                    .putObject("text")
                    .put("status", "additional")
                    .put("div", "<div xmlns=\"http://www.w3.org/1999/xhtml\"><p>" + text + "</p></div>");
            if (n > 1) {
                section = section.putArray("section").addObject();
            }
        }
        return resource;
    }

    /** Structures that a random change seldom makes. */
    private static JsonNode oddStructure(ObjectNode resource, FuzzInput input) {
        ObjectNode odd = resource.deepCopy();
        switch (input.below(5)) {
            case 0 -> {
                input.step("contained resources that refer to each other");
                ArrayNode contained = odd.putArray("contained");
                contained.add(reference("a", "#b")).add(reference("b", "#a"));
                odd.putObject("subject").put("reference", "#a");
            }
            case 1 -> {
                int depth = input.between(10, 900);
                input.step(depth + " nested sections");
                ObjectNode section = odd.putArray("section").addObject();
                for (int i = 0; i < depth; i++) {
                    section = section.putArray("section").addObject();
                }
                section.put("title", "End");
            }
            case 2 -> {
                int depth = input.between(10, 5_000);
                input.step(depth + " nested elements");
                odd.putArray("section")
                        .addObject()
                        .putObject("text")
                        .put("status", "additional")
                        .put(
                                "div",
                                "<div xmlns='http://www.w3.org/1999/xhtml'>" + "<b>".repeat(depth) + "x"
                                        + "</b>".repeat(depth) + "</div>");
            }
            case 3 -> {
                String div = OddText.mutate(
                        "<div xmlns='http://www.w3.org/1999/xhtml'><p>&nbsp;&amp;" + SECRET
                                + "<br/><!-- x --><![CDATA[y]]></p></div>",
                        input);
                input.step("narrative " + div);
                odd.putArray("section")
                        .addObject()
                        .putObject("text")
                        .put("status", "additional")
                        .put("div", div);
            }
            default -> {
                int count = input.between(100, 3_000);
                input.step(count + " attachments");
                ArrayNode content = odd.putArray("content");
                for (int i = 0; i < count; i++) {
                    content.addObject()
                            .putObject("attachment")
                            .put("contentType", "text/plain")
                            .put("data", "Rm9v");
                }
            }
        }
        return odd;
    }

    private static ObjectNode reference(String id, String to) {
        ObjectNode resource =
                JSON.createObjectNode().put("resourceType", "Observation").put("id", id);
        resource.putArray("hasMember").addObject().put("reference", to);
        return resource;
    }
}
