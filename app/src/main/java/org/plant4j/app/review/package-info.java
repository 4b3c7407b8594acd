/** Reviews that coders submit, and the tokens by which they are known; kept in one database. */
@NullMarked
package org.plant4j.app.review;

import org.jspecify.annotations.NullMarked;
