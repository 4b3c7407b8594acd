/** Code edits: checks of a set of codes against the rules of its code set, before it is billed or trained on. */
@NullMarked
package org.plant4j.edit;

import org.jspecify.annotations.NullMarked;
