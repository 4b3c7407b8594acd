/** Code search. */
@NullMarked
package org.plant4j.server.search;

import org.jspecify.annotations.NullMarked;
