package org.plant4j.encounter;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.plant4j.CodingResult;
import org.plant4j.DomainCheck;
import org.plant4j.Suggestion;

/** The codes that a model suggests for an encounter, best first, with the name and version of the model. */
public record CodedDocument(
        String model, String version, @JsonUnwrapped DomainCheck domain, List<Suggestion> codes) {

    public CodedDocument {
        codes = List.copyOf(codes);
    }

    /** Suggestions for the text of an encounter; their evidence is mapped to the documents. */
    public static CodedDocument of(String model, String version, Encounter encounter, CodingResult result) {
        return new CodedDocument(
                model,
                version,
                result.domain(),
                result.suggestions().stream().map(encounter::locate).toList());
    }
}
