/** Inspection of unknown data: formats and columns of files, statistics, warnings, and which model suits a corpus. */
@NullMarked
package org.plant4j.inspection;

import org.jspecify.annotations.NullMarked;
