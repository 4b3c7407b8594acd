/** Metrics, thresholds, significance and the report; plain arrays in, numbers out. */
@NullMarked
package org.plant4j.eval;

import org.jspecify.annotations.NullMarked;
