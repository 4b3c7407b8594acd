/** Coders' reviews, stored in one database. */
@NullMarked
package org.plant4j.review;

import org.jspecify.annotations.NullMarked;
