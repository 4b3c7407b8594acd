package org.plant4j.app.desk;

import java.util.List;
import org.plant4j.eval.Band;
import org.plant4j.predict.Suggestion;

/** A code for a document: its calibrated probability, the band that follows from it, and the words behind it. */
public record SuggestedCode(String code, String description, double probability, Band band, List<NoteSpan> evidence) {

    public SuggestedCode {
        evidence = List.copyOf(evidence);
    }

    static SuggestedCode of(Encounter encounter, Suggestion one) {
        return new SuggestedCode(
                one.code(), one.description(), one.probability(), one.band(), encounter.inNotes(one.evidence()));
    }
}
