/** The worklist: encounters that wait to be coded, who works on them, and which of them are reviewed a second time. */
@NullMarked
package org.plant4j.review.worklist;

import org.jspecify.annotations.NullMarked;
