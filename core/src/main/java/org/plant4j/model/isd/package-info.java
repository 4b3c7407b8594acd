/** ISD: shared label representations with self-distillation. */
@NullMarked
package org.plant4j.model.isd;

import org.jspecify.annotations.NullMarked;
