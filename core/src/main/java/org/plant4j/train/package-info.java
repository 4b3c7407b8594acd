/** The trainer of all objectives: optimizer, schedules, losses, gradient checkpointing, early stopping. */
@NullMarked
package org.plant4j.train;

import org.jspecify.annotations.NullMarked;
