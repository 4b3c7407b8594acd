/** Coding behind the API: the queue, the coder, model information and server metrics. */
@NullMarked
package org.plant4j.server.coding;

import org.jspecify.annotations.NullMarked;
