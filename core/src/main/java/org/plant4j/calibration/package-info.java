/** Calibrated probabilities and the bands derived from them. */
@NullMarked
package org.plant4j.calibration;

import org.jspecify.annotations.NullMarked;
