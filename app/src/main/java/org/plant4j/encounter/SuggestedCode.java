package org.plant4j.encounter;

import java.util.List;
import org.plant4j.calibration.Band;
import org.plant4j.prediction.Suggestion;

/** A code for a document: its calibrated probability, the band that follows from it, and the words behind it. */
public record SuggestedCode(String code, String description, double probability, Band band, List<NoteSpan> evidence) {

    public SuggestedCode {
        evidence = List.copyOf(evidence);
    }

    public static SuggestedCode of(Encounter encounter, Suggestion one) {
        return new SuggestedCode(
                one.code(), one.description(), one.probability(), one.band(), encounter.byNote(one.evidence()));
    }
}
