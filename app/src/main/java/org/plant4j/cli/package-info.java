/** The {@code plant} command line. */
@NullMarked
package org.plant4j.cli;

import org.jspecify.annotations.NullMarked;
