/** The commands of {@code plant-spark}. */
@NullMarked
package org.plant4j.spark.cli;

import org.jspecify.annotations.NullMarked;
