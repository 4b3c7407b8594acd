/** The JSON and FHIR routes. */
@NullMarked
package org.plant4j.server.api;

import org.jspecify.annotations.NullMarked;
