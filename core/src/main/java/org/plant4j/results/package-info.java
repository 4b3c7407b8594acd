/** Results of experiments as files of the repository, and the page that shows them. */
@NullMarked
package org.plant4j.results;

import org.jspecify.annotations.NullMarked;
