package org.plant4j.review;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;
import org.plant4j.calibration.Band;
import org.plant4j.encounter.Note;

/** A coder's review of one document: the suggestions of a model version and the coder's decisions. */
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

    /** A suggested code as it was shown to the coder. */
    public record ShownCode(String code, double probability, Band band) {}

    /** A decision; {@code from}: the code that a changed code replaces; {@code evidence}: spans that the coder marked. */
    public record Decision(String code, Verdict decision, Optional<String> from, List<MarkedSpan> evidence) {

        public Decision {
            evidence = List.copyOf(evidence);
        }
    }

    /** A span of a note in UTF-16 offsets. */
    public record MarkedSpan(String note, int start, int end) {}

    /** The coder's decision on a code. All codes but rejected ones are assigned to the document. */
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
