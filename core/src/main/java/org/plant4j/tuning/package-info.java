/** The search for good settings: grids, random search, and the report that compares the trials. */
@NullMarked
package org.plant4j.tuning;

import org.jspecify.annotations.NullMarked;
