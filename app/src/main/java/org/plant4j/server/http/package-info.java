/** HTTP requests, responses and errors. */
@NullMarked
package org.plant4j.server.http;

import org.jspecify.annotations.NullMarked;
