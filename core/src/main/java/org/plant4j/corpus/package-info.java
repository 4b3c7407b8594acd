/** Coded documents as re-readable streams, one reader a format, and the code books that describe the codes. */
@NullMarked
package org.plant4j.corpus;

import org.jspecify.annotations.NullMarked;
