/** Metrics, thresholds and frequency buckets; plain arrays in, numbers out. */
@NullMarked
package org.plant4j.metric;

import org.jspecify.annotations.NullMarked;
