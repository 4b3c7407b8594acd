/** Preparation of corpora: the passes over documents that build the vocabulary, the label index and the token stores. */
@NullMarked
package org.plant4j.preparation;

import org.jspecify.annotations.NullMarked;
