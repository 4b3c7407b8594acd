/** The coding desk: a server that codes notes, searches the code book and takes reviews. */
@NullMarked
package org.plant4j.app.desk;

import org.jspecify.annotations.NullMarked;
