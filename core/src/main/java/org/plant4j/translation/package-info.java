/** Word lexicons of two languages, learned from texts and their translations. */
@NullMarked
package org.plant4j.translation;

import org.jspecify.annotations.NullMarked;
