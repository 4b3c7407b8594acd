/** Boosted decision trees. */
@NullMarked
package org.plant4j.model.boosting;

import org.jspecify.annotations.NullMarked;
