/** The web pages, the API description and sample notes. */
@NullMarked
package org.plant4j.server.page;

import org.jspecify.annotations.NullMarked;
