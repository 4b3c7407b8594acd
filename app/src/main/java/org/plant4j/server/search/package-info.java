/** Code search and code details. */
@NullMarked
package org.plant4j.server.search;

import org.jspecify.annotations.NullMarked;
