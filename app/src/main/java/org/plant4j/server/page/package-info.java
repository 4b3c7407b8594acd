/** The web pages. */
@NullMarked
package org.plant4j.server.page;

import org.jspecify.annotations.NullMarked;
