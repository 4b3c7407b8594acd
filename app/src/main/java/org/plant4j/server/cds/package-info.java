/** CDS Hooks: suggestions as cards in the workflow of a health record. */
@NullMarked
package org.plant4j.server.cds;

import org.jspecify.annotations.NullMarked;
