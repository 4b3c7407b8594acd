/** Confidence intervals and significance tests. */
@NullMarked
package org.plant4j.statistics;

import org.jspecify.annotations.NullMarked;
