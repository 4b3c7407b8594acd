package org.plant4j.encounter;

import java.util.List;
import org.plant4j.prediction.Suggestion;

/** What a model says of a document: the codes it supports, best first, and which model that was. */
public record CodedDocument(String model, String version, List<SuggestedCode> codes) {

    public CodedDocument {
        codes = List.copyOf(codes);
    }

    /** Suggestions for an encounter's text, each piece of evidence mapped back to its note. */
    public static CodedDocument of(String model, String version, Encounter encounter, List<Suggestion> suggestions) {
        List<SuggestedCode> codes = suggestions.stream()
                .map(one -> SuggestedCode.of(encounter, one))
                .toList();
        return new CodedDocument(model, version, codes);
    }
}
