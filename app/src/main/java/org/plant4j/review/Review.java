package org.plant4j.review;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;
import org.plant4j.calibration.Band;
import org.plant4j.encounter.Note;

/** A coder's verdict on one document: what the model of this version had shown, and what was decided. */
public record Review(
        Optional<String> document,
        List<Note> notes,
        String version,
        List<ShownCode> shown,
        List<Decision> decisions,
        Optional<String> comment) {

    public Review {
        notes = List.copyOf(notes);
        shown = List.copyOf(shown);
        decisions = List.copyOf(decisions);
    }

    /** A code as the coder saw it. */
    public record ShownCode(String code, double probability, Band band) {}

    /** One decision; {@code from} is the code that a changed one replaces, the evidence what the coder marked. */
    public record Decision(String code, Verdict decision, Optional<String> from, List<MarkedSpan> evidence) {

        public Decision {
            evidence = List.copyOf(evidence);
        }
    }

    /** Characters of a note, as UTF-16 indices. */
    public record MarkedSpan(String note, int start, int end) {}

    /** What a coder does with a code. All but the rejected ones belong to the document. */
    public enum Verdict {
        @JsonProperty("accepted")
        ACCEPTED,
        @JsonProperty("rejected")
        REJECTED,
        @JsonProperty("added")
        ADDED,
        @JsonProperty("changed")
        CHANGED
    }
}
