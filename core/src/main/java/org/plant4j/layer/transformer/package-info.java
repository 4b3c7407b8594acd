/** The layers of transformer encoders and decoders. */
@NullMarked
package org.plant4j.layer.transformer;

import org.jspecify.annotations.NullMarked;
