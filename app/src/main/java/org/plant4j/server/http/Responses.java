package org.plant4j.server.http;

import io.javalin.http.Context;

/** Writes answers. */
public final class Responses {

    private static final String JSON = "application/json";

    private Responses() {}

    public static void json(Context to, Object value) {
        to.contentType(JSON).result(Json.bytes(value));
    }

    public static void error(Context to, ApiException problem) {
        to.status(problem.status());
        problem.retryAfter().ifPresent(seconds -> to.header("Retry-After", String.valueOf(seconds)));
        if (problem.status() == ApiException.UNAUTHORIZED) {
            to.header("WWW-Authenticate", "Bearer");
        }
        json(to, problem.body());
    }
}
