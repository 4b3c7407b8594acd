/** The trainer shared by all objectives: optimizer, schedules, checkpoints, early stopping. */
@NullMarked
package org.plant4j.train;

import org.jspecify.annotations.NullMarked;
