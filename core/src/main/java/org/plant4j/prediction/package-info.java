/** Predictions for documents: suggested codes with evidence, and rankings. */
@NullMarked
package org.plant4j.prediction;

import org.jspecify.annotations.NullMarked;
