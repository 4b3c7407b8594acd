/** PLANT: label attention initialized from a learning-to-rank model. */
@NullMarked
package org.plant4j.model.plant;

import org.jspecify.annotations.NullMarked;
