/** Documents with labels as re-readable streams, and the file access that all corpus readers share. */
@NullMarked
package org.plant4j.corpus;

import org.jspecify.annotations.NullMarked;
