/** Pretrained encoders: read from what others publish, kept in a folder of ours. Plain Java, no natives. */
@NullMarked
package org.plant4j.encoders;

import org.jspecify.annotations.NullMarked;
