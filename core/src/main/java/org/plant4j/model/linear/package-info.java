/** Linear models on TF-IDF features: one-vs-rest, and a label tree for very many labels. */
@NullMarked
package org.plant4j.model.linear;

import org.jspecify.annotations.NullMarked;
