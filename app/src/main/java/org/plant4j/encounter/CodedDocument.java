package org.plant4j.encounter;

import java.util.List;
import org.plant4j.prediction.Suggestion;

/** The codes that a model suggests for an encounter, best first, with the name and version of the model. */
public record CodedDocument(String model, String version, List<Suggestion> codes) {

    public CodedDocument {
        codes = List.copyOf(codes);
    }

    /** Suggestions for the text of an encounter; their evidence is mapped to the documents. */
    public static CodedDocument of(String model, String version, Encounter encounter, List<Suggestion> suggestions) {
        return new CodedDocument(
                model, version, suggestions.stream().map(encounter::locate).toList());
    }
}
