/** {@code plant corpus}. */
@NullMarked
package org.plant4j.cli.corpus;

import org.jspecify.annotations.NullMarked;
