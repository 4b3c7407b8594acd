package org.plant4j.server.http;

import io.javalin.http.Context;

/** Writes JSON and error responses. */
public final class Responses {

    public static final String FHIR_JSON = "application/fhir+json";

    private static final String JSON = "application/json";
    private static final String FHIR_PATH = "/fhir/";

    private Responses() {}

    public static void json(Context response, Object value) {
        response.contentType(JSON).result(Json.bytes(value));
    }

    public static void error(Context response, ApiException error) {
        response.status(error.status());
        error.retryAfter().ifPresent(seconds -> response.header("Retry-After", String.valueOf(seconds)));
        if (error.status() == ApiException.UNAUTHORIZED) {
            response.header("WWW-Authenticate", "Bearer");
        }
        if (response.path().startsWith(FHIR_PATH)) {
            response.contentType(FHIR_JSON).result(Json.bytes(OperationOutcomes.of(error)));
        } else {
            json(response, error.body());
        }
    }
}
