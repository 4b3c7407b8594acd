/** What text without labels teaches: word vectors from word pairs. */
@NullMarked
package org.plant4j.lm;

import org.jspecify.annotations.NullMarked;
