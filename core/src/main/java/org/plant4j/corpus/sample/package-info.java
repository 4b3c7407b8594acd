/** Made-up tables with the columns of licensed data sets, to try pipelines at full size without the data. */
@NullMarked
package org.plant4j.corpus.sample;

import org.jspecify.annotations.NullMarked;
