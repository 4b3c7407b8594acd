/** Which words matter for which label: mutual information, and a ranker that learns from it. */
@NullMarked
package org.plant4j.rank;

import org.jspecify.annotations.NullMarked;
