/** {@code plant model}. */
@NullMarked
package org.plant4j.cli.model;

import org.jspecify.annotations.NullMarked;
