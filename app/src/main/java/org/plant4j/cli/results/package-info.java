/** {@code plant results}: results of experiments as files of the repository. */
@NullMarked
package org.plant4j.cli.results;

import org.jspecify.annotations.NullMarked;
