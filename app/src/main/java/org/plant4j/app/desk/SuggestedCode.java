package org.plant4j.app.desk;

import java.util.List;
import org.plant4j.eval.Band;

/** A code for a document: its calibrated probability, the band that follows from it, and the words behind it. */
public record SuggestedCode(String code, String description, double probability, Band band, List<NoteSpan> evidence) {

    public SuggestedCode {
        evidence = List.copyOf(evidence);
    }
}
