/** From characters to numbers: tokenizers with offsets, vocabulary, label index and the memory-mapped token store. */
@NullMarked
package org.plant4j.text;

import org.jspecify.annotations.NullMarked;
