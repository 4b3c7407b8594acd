package org.plant4j.app.desk;

import io.javalin.http.Context;
import java.util.Optional;

/** The parameters behind the question mark. */
final class Query {

    private static final int LONGEST = 200;

    private Query() {}

    static Optional<String> text(Context request, String name) {
        Optional<String> value = Optional.ofNullable(request.queryParam(name));
        if (value.isPresent() && value.get().length() > LONGEST) {
            throw Problem.senseless("This is longer than " + LONGEST + " characters", name, "shorten it");
        }
        return value;
    }

    static int number(Context request, String name, int otherwise, int most) {
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
        throw Problem.senseless("This is not a whole number from 1 to " + most, name, "send one in that range");
    }
}
