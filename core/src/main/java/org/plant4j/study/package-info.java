/** Studies: several experiments that answer one question with a table and a page. */
@NullMarked
package org.plant4j.study;

import org.jspecify.annotations.NullMarked;
