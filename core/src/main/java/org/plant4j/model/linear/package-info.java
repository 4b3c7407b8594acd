/** Linear one-vs-rest models on TF-IDF features. */
@NullMarked
package org.plant4j.model.linear;

import org.jspecify.annotations.NullMarked;
