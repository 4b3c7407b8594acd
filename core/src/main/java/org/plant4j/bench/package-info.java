/** What the project's models are measured against; nothing else uses it. */
@NullMarked
package org.plant4j.bench;

import org.jspecify.annotations.NullMarked;
