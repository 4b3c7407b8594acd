/** Plant4j on Apache Spark: coding as a stage of a Spark ML pipeline. */
@NullMarked
package org.plant4j.spark;

import org.jspecify.annotations.NullMarked;
