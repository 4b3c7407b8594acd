/** Text in, ranked codes with their evidence out. */
@NullMarked
package org.plant4j.predict;

import org.jspecify.annotations.NullMarked;
