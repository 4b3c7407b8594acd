package org.plant4j.server.http;

import io.javalin.http.Context;
import java.util.Optional;

/** The parameters behind the question mark. */
public final class QueryParameters {

    private static final int MAX_LENGTH = 200;

    private QueryParameters() {}

    public static Optional<String> text(Context request, String name) {
        Optional<String> value = Optional.ofNullable(request.queryParam(name));
        if (value.isPresent() && value.get().length() > MAX_LENGTH) {
            throw ApiException.unprocessable("This is longer than " + MAX_LENGTH + " characters", name, "shorten it");
        }
        return value;
    }

    public static int integer(Context request, String name, int otherwise, int most) {
        Optional<String> value = text(request, name);
        if (value.isEmpty()) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value.get());
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below, like a number out of range
        }
        throw ApiException.unprocessable(
                "This is not a whole number from 1 to " + most, name, "send one in that range");
    }
}
