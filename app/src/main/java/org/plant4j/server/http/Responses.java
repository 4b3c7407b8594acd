package org.plant4j.server.http;

import io.javalin.http.Context;

/** Writes JSON and error responses. */
public final class Responses {

    private static final String JSON = "application/json";

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
        json(response, error.body());
    }
}
