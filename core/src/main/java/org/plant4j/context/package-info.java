/** The context of mentions: whether a span of a document is negated, hypothetical, historical or about a relative. */
@NullMarked
package org.plant4j.context;

import org.jspecify.annotations.NullMarked;
