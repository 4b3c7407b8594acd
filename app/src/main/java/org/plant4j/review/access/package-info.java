/** Access tokens and users, stored in the database of reviews. */
@NullMarked
package org.plant4j.review.access;

import org.jspecify.annotations.NullMarked;
