/** Plant4j on Apache Spark: coding as a stage of a pipeline, and jobs as commands of {@code plant-spark}. */
@NullMarked
package org.plant4j.spark;

import org.jspecify.annotations.NullMarked;
