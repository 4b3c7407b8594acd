/** Coders' reviews and access tokens, stored in one database. */
@NullMarked
package org.plant4j.review;

import org.jspecify.annotations.NullMarked;
