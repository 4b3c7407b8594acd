/** Prediction requests, and the predictions that models return. */
@NullMarked
package org.plant4j.model.output;

import org.jspecify.annotations.NullMarked;
