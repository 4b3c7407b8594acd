/** Encoders: from token ids to hidden states. */
@NullMarked
package org.plant4j.encoder;

import org.jspecify.annotations.NullMarked;
