package org.plant4j.app.desk;

import io.javalin.http.Context;

/** Writes answers. */
final class Answer {

    private static final String JSON = "application/json";

    private Answer() {}

    static void json(Context to, Object value) {
        to.contentType(JSON).result(Json.bytes(value));
    }

    static void problem(Context to, Problem problem) {
        to.status(problem.status());
        problem.retryAfter().ifPresent(seconds -> to.header("Retry-After", String.valueOf(seconds)));
        if (problem.status() == Problem.UNAUTHORIZED) {
            to.header("WWW-Authenticate", "Bearer");
        }
        json(to, problem.body());
    }
}
