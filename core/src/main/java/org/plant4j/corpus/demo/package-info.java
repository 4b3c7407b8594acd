/** The project's own corpus: made-up English discharge summaries with ICD-10-CM codes, the same for the same seed. */
@NullMarked
package org.plant4j.corpus.demo;

import org.jspecify.annotations.NullMarked;
