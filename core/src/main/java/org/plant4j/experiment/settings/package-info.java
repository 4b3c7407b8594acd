/** Settings in YAML: strict parsing, overrides, and binding to records. */
@NullMarked
package org.plant4j.experiment.settings;

import org.jspecify.annotations.NullMarked;
