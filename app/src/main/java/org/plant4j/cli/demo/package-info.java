/** {@code plant demo}. */
@NullMarked
package org.plant4j.cli.demo;

import org.jspecify.annotations.NullMarked;
