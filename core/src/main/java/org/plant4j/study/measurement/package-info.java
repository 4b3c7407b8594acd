/** Measurements of one trained model: evidence against annotations and scores, agreement of shortlists. */
@NullMarked
package org.plant4j.study.measurement;

import org.jspecify.annotations.NullMarked;
