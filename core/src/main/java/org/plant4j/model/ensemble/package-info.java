/** Models made of other models: their mean, and a learned merge. */
@NullMarked
package org.plant4j.model.ensemble;

import org.jspecify.annotations.NullMarked;
