/** What a person starts: the {@code plant} command. */
@NullMarked
package org.plant4j.app;

import org.jspecify.annotations.NullMarked;
