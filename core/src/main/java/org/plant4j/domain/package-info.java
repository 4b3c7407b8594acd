/** Detects texts that differ from the training documents, so that their codes are not trusted. */
@NullMarked
package org.plant4j.domain;

import org.jspecify.annotations.NullMarked;
