/** Access control. */
@NullMarked
package org.plant4j.server.access;

import org.jspecify.annotations.NullMarked;
