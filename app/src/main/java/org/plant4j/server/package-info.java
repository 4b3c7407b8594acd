/** The coding server. */
@NullMarked
package org.plant4j.server;

import org.jspecify.annotations.NullMarked;
