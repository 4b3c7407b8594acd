/** What models share: the model interface, label networks, configurations, and the registry of models by name. */
@NullMarked
package org.plant4j.model;

import org.jspecify.annotations.NullMarked;
