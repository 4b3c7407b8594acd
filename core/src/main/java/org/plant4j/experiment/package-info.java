/** One YAML file, one experiment: prepare, train, evaluate, each stage resumable. */
@NullMarked
package org.plant4j.experiment;

import org.jspecify.annotations.NullMarked;
