/** Notes in and codes out in FHIR R4. The only package that knows HAPI, whose classes are loaded when first used. */
@NullMarked
package org.plant4j.app.fhir;

import org.jspecify.annotations.NullMarked;
