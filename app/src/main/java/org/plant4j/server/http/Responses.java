package org.plant4j.server.http;

import io.javalin.http.Context;

/** Writes JSON and error responses. */
public final class Responses {

    private static final String FHIR_JSON = "application/fhir+json";
    private static final String JSON = "application/json";
    private static final String FHIR_PATH = "/fhir";

    private Responses() {}

    public static void json(Context response, Object value) {
        response.contentType(JSON).result(Json.bytes(value));
    }

    /** A FHIR resource in JSON. */
    public static void fhir(Context response, String resource) {
        response.contentType(FHIR_JSON).result(resource);
    }

    public static void error(Context response, ApiException error) {
        response.status(error.status());
        error.retryAfter().ifPresent(seconds -> response.header("Retry-After", String.valueOf(seconds)));
        if (error.status() == ApiException.UNAUTHORIZED) {
            response.header("WWW-Authenticate", "Bearer");
        }
        response.contentType(errorType(response.path())).result(errorBody(response.path(), error));
    }

    /** The content type of an error at a path. */
    public static String errorType(String path) {
        return isFhir(path) ? FHIR_JSON : JSON;
    }

    /** The body of an error: an OperationOutcome below the FHIR endpoint. */
    public static byte[] errorBody(String path, ApiException error) {
        return Json.bytes(isFhir(path) ? OperationOutcomes.of(error) : error.body());
    }

    private static boolean isFhir(String path) {
        return path.equals(FHIR_PATH) || path.startsWith(FHIR_PATH + "/");
    }
}
