package org.plant4j.server.coding;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.plant4j.Explanation;

/** An explanation of a code, with the name and version of the model. */
public record CodeExplanation(
        String model, String version, @JsonUnwrapped Explanation explanation) {}
