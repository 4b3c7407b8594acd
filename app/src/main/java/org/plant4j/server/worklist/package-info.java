/** The worklist over HTTP and from a folder, and second reviews. */
@NullMarked
package org.plant4j.server.worklist;

import org.jspecify.annotations.NullMarked;
