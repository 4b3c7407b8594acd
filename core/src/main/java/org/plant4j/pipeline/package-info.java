/** The stages of an experiment, from corpus preparation to evaluation. */
@NullMarked
package org.plant4j.pipeline;

import org.jspecify.annotations.NullMarked;
