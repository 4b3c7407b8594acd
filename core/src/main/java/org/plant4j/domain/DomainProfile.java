package org.plant4j.domain;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.plant4j.support.Arguments;

/**
 * What the guard of a run knows about its training documents besides their vocabulary; stored as {@code domain-guard.json}.
 *
 * @param documents number of dev documents that the thresholds were tuned on
 * @param logLikelihood thresholds of {@link TextFeatures#logLikelihood} by number of tokens
 * @param wordOrder thresholds of {@link WordOrder#score} by number of pairs; empty if all documents are short
 */
public record DomainProfile(
        @JsonProperty(required = true) int documents,
        @JsonProperty(required = true) LengthThresholds logLikelihood,
        @JsonProperty(required = true) LengthThresholds wordOrder,
        @JsonProperty(required = true) TokenPairs pairs) {

    public DomainProfile {
        Arguments.check(!logLikelihood.isEmpty(), "logLikelihood", logLikelihood, "at least one threshold");
    }
}
