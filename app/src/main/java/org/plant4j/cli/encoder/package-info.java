/** {@code plant encoder}. */
@NullMarked
package org.plant4j.cli.encoder;

import org.jspecify.annotations.NullMarked;
