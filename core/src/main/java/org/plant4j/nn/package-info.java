/** Layers and plumbing that the models share: batches, encoders, label attention, checkpoints. */
@NullMarked
package org.plant4j.nn;

import org.jspecify.annotations.NullMarked;
