/** Neural network layers that are independent of a task. */
@NullMarked
package org.plant4j.layer;

import org.jspecify.annotations.NullMarked;
