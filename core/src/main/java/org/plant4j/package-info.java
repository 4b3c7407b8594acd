/** What every package shares: errors a user can mend, and progress. */
@NullMarked
package org.plant4j;

import org.jspecify.annotations.NullMarked;
