/** HTTP basics shared by all routes: request bodies, JSON, errors and headers. */
@NullMarked
package org.plant4j.server.http;

import org.jspecify.annotations.NullMarked;
