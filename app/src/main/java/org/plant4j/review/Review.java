package org.plant4j.review;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.plant4j.Band;
import org.plant4j.Trait;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.support.Sha256;

/**
 * A coder's review of an encounter: the suggestions of a model version and the coder's decisions. The aliases read reviews
 * that version 0.1 stored.
 *
 * @param encounter the client's id of the encounter
 * @param date the day on which the codes must be valid, such as that of the discharge, as 2021-03-01
 * @param outOfDomain the reason shown to the coder if the text did not resemble the training documents
 * @param seconds how long the coder worked on the encounter, if the client measured it
 * @param second the review that this one reviews a second time, if it does
 */
public record Review(
        @JsonAlias("document") Optional<String> encounter,
        Optional<String> date,
        @JsonAlias("notes") List<SourceDocument> documents,
        String version,
        Optional<String> outOfDomain,
        List<ShownCode> shown,
        List<Decision> decisions,
        Optional<String> comment,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Integer> seconds, // absent: digests stay as they were
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<SecondReview> second) {

    private static final int DERIVED_ID_LENGTH = 24;

    /** A first review without a measured time. */
    public Review(
            Optional<String> encounter,
            Optional<String> date,
            List<SourceDocument> documents,
            String version,
            Optional<String> outOfDomain,
            List<ShownCode> shown,
            List<Decision> decisions,
            Optional<String> comment) {
        this(
                encounter,
                date,
                documents,
                version,
                outOfDomain,
                shown,
                decisions,
                comment,
                Optional.empty(),
                Optional.empty());
    }

    public Review {
        documents = List.copyOf(documents);
        shown = List.copyOf(shown);
        decisions = List.copyOf(decisions);
    }

    /** The id of the encounter or, without one, an id derived from its text: the same text always has the same id. */
    public String documentId() {
        return encounter.orElseGet(() -> {
            String text = new Encounter(documents).text();
            return "text-" + Sha256.of(text).substring(0, DERIVED_ID_LENGTH);
        });
    }

    /** The codes assigned to the encounter, in the order of the decisions. */
    public List<String> assignedCodes() {
        return decisions.stream()
                .filter(each -> each.decision() != Verdict.REJECTED)
                .map(Decision::code)
                .toList();
    }

    /** The same review without the texts of its documents. */
    Review withoutText() {
        return new Review(
                encounter,
                date,
                documents.stream()
                        .map(document -> new SourceDocument(document.id(), document.title(), ""))
                        .toList(),
                version,
                outOfDomain,
                shown,
                decisions,
                comment,
                seconds,
                second);
    }

    /** A suggested code as it was shown to the coder; {@code traits}: those of its evidence, missing in older reviews. */
    public record ShownCode(
            String code,
            double probability,
            Band band,
            @JsonSetter(nulls = Nulls.AS_EMPTY) Set<Trait> traits) {

        public ShownCode {
            traits = Trait.copyOf(traits);
        }
    }

    /** A decision; {@code from}: the code that a changed code replaces; {@code evidence}: spans that the coder marked. */
    public record Decision(
            String code,
            Verdict decision,
            Optional<String> from,
            List<MarkedSpan> evidence,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<PresentOnAdmission> presentOnAdmission) {

        public Decision {
            evidence = List.copyOf(evidence);
        }

        public Decision(String code, Verdict decision, Optional<String> from, List<MarkedSpan> evidence) {
            this(code, decision, from, evidence, Optional.empty());
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
