/** {@code plant bench}. */
@NullMarked
package org.plant4j.cli.bench;

import org.jspecify.annotations.NullMarked;
