/** Evidence spans for a code, and how far they can be trusted. */
@NullMarked
package org.plant4j.explain;

import org.jspecify.annotations.NullMarked;
