package org.plant4j.review;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;
import org.plant4j.calibration.Band;
import org.plant4j.encounter.SourceDocument;

/**
 * A coder's review of an encounter: the suggestions of a model version and the coder's decisions. The aliases read reviews
 * that version 0.1 stored.
 *
 * @param encounter the client's id of the encounter
 */
public record Review(
        @JsonAlias("document") Optional<String> encounter,
        @JsonAlias("notes") List<SourceDocument> documents,
        String version,
        List<ShownCode> shown,
        List<Decision> decisions,
        Optional<String> comment) {

    public Review {
        documents = List.copyOf(documents);
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

    /** A span of a document in UTF-16 offsets. */
    public record MarkedSpan(@JsonAlias("note") String document, int start, int end) {}

    /** The coder's decision on a code. All codes but rejected ones are assigned to the encounter. */
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
