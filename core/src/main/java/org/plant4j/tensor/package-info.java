/** The tensor engine: libtorch, devices, precision, batches, checkpoints and memory scopes. */
@NullMarked
package org.plant4j.tensor;

import org.jspecify.annotations.NullMarked;
