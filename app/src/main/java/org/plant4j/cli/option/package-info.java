/** Options and arguments that several commands share. */
@NullMarked
package org.plant4j.cli.option;

import org.jspecify.annotations.NullMarked;
