/** Counting, preparation of corpora and training of independent labels on Spark, with the results of one machine. */
@NullMarked
package org.plant4j.spark.engine;

import org.jspecify.annotations.NullMarked;
