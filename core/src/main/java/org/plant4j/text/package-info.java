/** Tokenizers, the vocabulary, the label index, and prepared corpora as memory-mapped token and label ids. */
@NullMarked
package org.plant4j.text;

import org.jspecify.annotations.NullMarked;
