package org.plant4j;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The outcome of a {@link Training}.
 *
 * @param run the run directory, for {@link Coder#load}
 * @param finished false if the training was stopped; the same training on the same directory resumes it
 * @param dev the evaluation on dev; empty if the training was stopped or if there are no dev documents
 * @param test the evaluation on test; empty if the training was stopped or if there are no test documents
 */
public record TrainingResult(Path run, boolean finished, Optional<Evaluation> dev, Optional<Evaluation> test) {}
