/** Pretrained models: runs packed into one file, with a model card, and found by name on the class path. */
@NullMarked
package org.plant4j.pretrained;

import org.jspecify.annotations.NullMarked;
