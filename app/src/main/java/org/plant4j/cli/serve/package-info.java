/** {@code plant serve}, {@code plant token} and {@code plant reviews}. */
@NullMarked
package org.plant4j.cli.serve;

import org.jspecify.annotations.NullMarked;
