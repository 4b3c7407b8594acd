/** Label description attention. */
@NullMarked
package org.plant4j.model.description;

import org.jspecify.annotations.NullMarked;
