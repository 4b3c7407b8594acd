/** The list of built-in models, and the ensemble of several models. */
@NullMarked
package org.plant4j.model.registry;

import org.jspecify.annotations.NullMarked;
