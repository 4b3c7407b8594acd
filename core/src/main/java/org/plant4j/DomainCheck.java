package org.plant4j;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;
import org.plant4j.support.Arguments;

/**
 * Whether a text resembles the documents that the model was trained on. The codes of a text that does not are never
 * suggested, whatever their scores.
 *
 * @param inDomain whether the text resembles the training documents
 * @param reason why the text is out of domain, as a sentence for users; empty if it is in domain
 */
public record DomainCheck(
        boolean inDomain,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> reason) {

    /** The result for a text that resembles the training documents, or for a run without a guard. */
    public static final DomainCheck IN_DOMAIN = new DomainCheck(true, Optional.empty());

    /** The result for an empty text, or one of digits and symbols only. */
    public static final DomainCheck NO_WORDS = outOfDomain("The text contains no words.");

    /**
     * Checks that there is a reason if and only if the text is out of domain.
     *
     * @param inDomain whether the text resembles the training documents
     * @param reason why the text is out of domain, as a sentence for users; empty if it is in domain
     */
    public DomainCheck {
        Arguments.check(inDomain == reason.isEmpty(), "reason", reason, "present if and only if out of domain");
    }

    /**
     * A notice for the reader of the codes; empty if the text is in domain.
     *
     * @return the notice
     */
    public Optional<String> notice() {
        return reason.map(sentence -> "This text does not resemble the documents that the model was trained on. "
                + sentence + " Codes are for review only.");
    }

    /**
     * The result for a text that does not resemble the training documents.
     *
     * @param reason why, as a sentence for users
     * @return the result
     */
    public static DomainCheck outOfDomain(String reason) {
        return new DomainCheck(false, Optional.of(reason));
    }
}
