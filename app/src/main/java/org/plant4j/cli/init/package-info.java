/** {@code plant init}. */
@NullMarked
package org.plant4j.cli.init;

import org.jspecify.annotations.NullMarked;
