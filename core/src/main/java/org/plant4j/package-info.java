/** The entry point of the library: load a trained model and code documents. */
@NullMarked
package org.plant4j;

import org.jspecify.annotations.NullMarked;
