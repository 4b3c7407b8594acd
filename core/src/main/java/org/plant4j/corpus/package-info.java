/** Documents with gold codes, corpora that stream them, and train, dev and test splits. */
@NullMarked
package org.plant4j.corpus;

import org.jspecify.annotations.NullMarked;
