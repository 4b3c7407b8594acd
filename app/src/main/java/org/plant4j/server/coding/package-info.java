/** Coding of documents behind the API: queue, model and metrics. */
@NullMarked
package org.plant4j.server.coding;

import org.jspecify.annotations.NullMarked;
