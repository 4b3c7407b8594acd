/** {@code plant serve} and {@code plant token}. */
@NullMarked
package org.plant4j.cli.serve;

import org.jspecify.annotations.NullMarked;
