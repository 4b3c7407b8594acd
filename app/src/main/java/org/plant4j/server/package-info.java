/** The coding server: web pages, JSON API and FHIR API for one trained model. */
@NullMarked
package org.plant4j.server;

import org.jspecify.annotations.NullMarked;
