/** Terminal output, progress, logging and error handling. */
@NullMarked
package org.plant4j.cli.terminal;

import org.jspecify.annotations.NullMarked;
