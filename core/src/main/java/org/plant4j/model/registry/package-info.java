/** The registry of all models: configuration names, construction and loading. */
@NullMarked
package org.plant4j.model.registry;

import org.jspecify.annotations.NullMarked;
