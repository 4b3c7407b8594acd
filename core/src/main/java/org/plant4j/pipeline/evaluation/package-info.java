/** Evaluation of a trained model: scores of dev and test, thresholds, calibration, and the report of a run. */
@NullMarked
package org.plant4j.pipeline.evaluation;

import org.jspecify.annotations.NullMarked;
