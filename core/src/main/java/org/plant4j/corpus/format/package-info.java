/** Corpus readers, one per file format, and the registry of formats. */
@NullMarked
package org.plant4j.corpus.format;

import org.jspecify.annotations.NullMarked;
