/** Shared basics: user-facing errors, progress reporting, argument checks and safe file operations. */
@NullMarked
package org.plant4j.support;

import org.jspecify.annotations.NullMarked;
