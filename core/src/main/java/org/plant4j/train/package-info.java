/** One trainer for every objective: optimizer, schedule, checkpoints, early stopping. */
@NullMarked
package org.plant4j.train;

import org.jspecify.annotations.NullMarked;
