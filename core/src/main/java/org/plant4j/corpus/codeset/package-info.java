/** Code sets: codes with descriptions, hierarchy and validity. */
@NullMarked
package org.plant4j.corpus.codeset;

import org.jspecify.annotations.NullMarked;
