/** Experiments: their YAML files and run directories. */
@NullMarked
package org.plant4j.experiment;

import org.jspecify.annotations.NullMarked;
