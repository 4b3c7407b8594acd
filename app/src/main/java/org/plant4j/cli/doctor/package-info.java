/** {@code plant doctor}. */
@NullMarked
package org.plant4j.cli.doctor;

import org.jspecify.annotations.NullMarked;
