/** Several experiments, seeds and training sizes as one question, answered by a table and a page. */
@NullMarked
package org.plant4j.study;

import org.jspecify.annotations.NullMarked;
