/** One file a model over the shared layers, with its config and its paper. */
@NullMarked
package org.plant4j.models;

import org.jspecify.annotations.NullMarked;
