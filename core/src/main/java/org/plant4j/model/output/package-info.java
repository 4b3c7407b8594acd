/** What a model returns: requests and predictions. */
@NullMarked
package org.plant4j.model.output;

import org.jspecify.annotations.NullMarked;
