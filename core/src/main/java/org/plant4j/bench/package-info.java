/** Reference implementations that the benchmarks compare with. */
@NullMarked
package org.plant4j.bench;

import org.jspecify.annotations.NullMarked;
