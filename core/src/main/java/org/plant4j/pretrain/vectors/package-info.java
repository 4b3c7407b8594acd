/** Word vectors from unlabelled text. */
@NullMarked
package org.plant4j.pretrain.vectors;

import org.jspecify.annotations.NullMarked;
