/** Mutual information between tokens and labels, and the learning-to-rank model trained on it. */
@NullMarked
package org.plant4j.rank;

import org.jspecify.annotations.NullMarked;
