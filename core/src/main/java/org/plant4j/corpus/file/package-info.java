/** Streaming access to text and delimited files, plain or gzip, with errors that name file and line. */
@NullMarked
package org.plant4j.corpus.file;

import org.jspecify.annotations.NullMarked;
