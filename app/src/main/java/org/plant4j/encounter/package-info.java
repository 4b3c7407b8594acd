/** Documents of one encounter, coded together. */
@NullMarked
package org.plant4j.encounter;

import org.jspecify.annotations.NullMarked;
