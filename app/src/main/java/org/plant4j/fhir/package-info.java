/** FHIR R4 in and out. The only package that uses HAPI; its classes are loaded on first use. */
@NullMarked
package org.plant4j.fhir;

import org.jspecify.annotations.NullMarked;
