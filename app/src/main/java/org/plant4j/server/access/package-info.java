/** Authentication, rate limits and cross-origin protection. */
@NullMarked
package org.plant4j.server.access;

import org.jspecify.annotations.NullMarked;
