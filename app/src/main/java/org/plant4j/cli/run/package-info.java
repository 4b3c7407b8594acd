/** Commands that run, evaluate and compare experiments. */
@NullMarked
package org.plant4j.cli.run;

import org.jspecify.annotations.NullMarked;
