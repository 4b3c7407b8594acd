/** Small baseline models, one file each. */
@NullMarked
package org.plant4j.model.baseline;

import org.jspecify.annotations.NullMarked;
