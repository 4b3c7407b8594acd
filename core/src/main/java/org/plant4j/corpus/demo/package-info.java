/** The demo corpus: generated English discharge summaries with ICD-10-CM codes, deterministic for a seed. */
@NullMarked
package org.plant4j.corpus.demo;

import org.jspecify.annotations.NullMarked;
