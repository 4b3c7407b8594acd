package org.plant4j.server.search;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;

/**
 * A code with its place in the hierarchy and its ranked tokens.
 *
 * @param trainingDocuments number of training documents with this code; empty if the code is not in the model
 * @param parents ancestors, from the direct parent up to the root
 */
public record CodeDetails(
        @JsonUnwrapped ListedCode code,
        Optional<Integer> trainingDocuments,
        List<ListedCode> parents,
        List<ListedCode> children,
        List<ListedCode> siblings,
        List<RankedTokens.RankedToken> tokens) {}
