package org.plant4j;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * The codes that a model suggests for a text, best first, and whether the text resembles the training documents.
 *
 * @param domain if the text is out of domain, no suggestion is in the band {@code suggest} and none is predicted
 * @param suggestions the suggestions, best first
 */
public record CodingResult(@JsonUnwrapped DomainCheck domain, List<Suggestion> suggestions) {

    /**
     * Copies the suggestions.
     *
     * @param domain if the text is out of domain, no suggestion is in the band {@code suggest} and none is predicted
     * @param suggestions the suggestions, best first
     */
    public CodingResult {
        suggestions = List.copyOf(suggestions);
    }

    /**
     * The same result with the codes only whose score reaches the threshold.
     *
     * @return the result
     */
    public CodingResult predicted() {
        return new CodingResult(
                domain, suggestions.stream().filter(Suggestion::predicted).toList());
    }

    /**
     * Whether the text resembles the training documents.
     *
     * @return true if it does
     */
    public boolean inDomain() {
        return domain.inDomain();
    }
}
