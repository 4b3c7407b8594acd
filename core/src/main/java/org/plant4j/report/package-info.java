/** Tables, charts and self-contained HTML pages. */
@NullMarked
package org.plant4j.report;

import org.jspecify.annotations.NullMarked;
