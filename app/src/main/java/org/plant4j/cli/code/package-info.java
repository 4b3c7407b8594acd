/** Commands that code documents. */
@NullMarked
package org.plant4j.cli.code;

import org.jspecify.annotations.NullMarked;
