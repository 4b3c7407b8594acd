/** What all models share: the model interface, label networks, objectives and losses. */
@NullMarked
package org.plant4j.model;

import org.jspecify.annotations.NullMarked;
