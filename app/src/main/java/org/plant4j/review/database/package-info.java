/** Connections to the database of reviews and access tokens, and its failures. */
@NullMarked
package org.plant4j.review.database;

import org.jspecify.annotations.NullMarked;
