/** Evidence spans, highlighting, and measures of faithfulness and plausibility. */
@NullMarked
package org.plant4j.explain;

import org.jspecify.annotations.NullMarked;
