/** From characters to numbers: tokens with their spans, vocabulary, labels, and the memory-mapped token store. */
@NullMarked
package org.plant4j.text;

import org.jspecify.annotations.NullMarked;
