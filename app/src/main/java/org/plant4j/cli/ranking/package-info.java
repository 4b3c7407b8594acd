/** {@code plant ranking}: rankings of codes are scored and merged. */
@NullMarked
package org.plant4j.cli.ranking;

import org.jspecify.annotations.NullMarked;
