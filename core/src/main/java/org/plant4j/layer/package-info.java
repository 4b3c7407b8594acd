/** Neural network layers, independent of any model. */
@NullMarked
package org.plant4j.layer;

import org.jspecify.annotations.NullMarked;
