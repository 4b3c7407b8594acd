/** Description matching: finds the descriptions of labels in documents, and learns when a match makes a label probable. */
@NullMarked
package org.plant4j.model.matching;

import org.jspecify.annotations.NullMarked;
