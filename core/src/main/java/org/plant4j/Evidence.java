package org.plant4j;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Optional;
import java.util.Set;
import org.plant4j.support.Arguments;

/**
 * A span of a document that supports a code.
 *
 * @param span the span
 * @param text the characters of the span
 * @param weight the fraction of the code's evidence that lies in the span, between 0 and 1
 * @param traits the context of the mention, for example that it is negated
 * @param document the id of the document, if several documents were coded together; the span then refers to that document
 */
@JsonPropertyOrder({"document", "span", "text", "weight", "traits"})
public record Evidence(
        @JsonUnwrapped Span span,
        String text,
        double weight,
        Set<Trait> traits,

        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> document) {

    /**
     * Checks the weight and copies the traits.
     *
     * @param span the span
     * @param text the characters of the span
     * @param weight the fraction of the code's evidence that lies in the span, between 0 and 1
     * @param traits the context of the mention, for example that it is negated
     * @param document the id of the document, if several documents were coded together; the span then refers to that document
     */
    public Evidence {
        Arguments.check(weight >= 0, "weight", weight, ">= 0");
        traits = Trait.copyOf(traits);
    }

    /**
     * Evidence in the only document.
     *
     * @param span the span in the document
     * @param text the characters of the span
     * @param weight the fraction of the code's evidence that lies in the span
     */
    public Evidence(Span span, String text, double weight) {
        this(span, text, weight, Set.of(), Optional.empty());
    }

    /**
     * The same evidence with other traits.
     *
     * @param others the other traits
     * @return the copy
     */
    public Evidence withTraits(Set<Trait> others) {
        return new Evidence(span, text, weight, others, document);
    }

    /**
     * Whether the mention is negated or about a relative, and so does not support a code of the patient.
     *
     * @return true if it does not support the code
     */
    public boolean contradicts() {
        return !traits.contains(Trait.TYPICAL) && traits.stream().anyMatch(Trait::contradicts);
    }

    /** Omits the text, which must not appear in logs. */
    @Override
    public String toString() {
        return "Evidence[" + document.map(id -> id + " ").orElse("") + span.start() + "-" + span.end() + ", weight "
                + weight + "]";
    }
}
