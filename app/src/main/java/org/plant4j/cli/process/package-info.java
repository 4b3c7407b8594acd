/** Processes that a command starts: one model trained by several, or several experiments at a time. */
@NullMarked
package org.plant4j.cli.process;

import org.jspecify.annotations.NullMarked;
