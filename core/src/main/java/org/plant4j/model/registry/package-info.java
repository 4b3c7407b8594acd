/** The list of built-in models. */
@NullMarked
package org.plant4j.model.registry;

import org.jspecify.annotations.NullMarked;
