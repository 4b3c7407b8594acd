/** Process groups: processes that train one model together over libtorch's collectives. */
@NullMarked
package org.plant4j.distributed;

import org.jspecify.annotations.NullMarked;
