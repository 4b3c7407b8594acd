/** FHIR R4 input and output. The only package that uses HAPI, whose classes are loaded on first use. */
@NullMarked
package org.plant4j.fhir;

import org.jspecify.annotations.NullMarked;
