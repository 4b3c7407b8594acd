package org.plant4j.server.http;

import io.javalin.http.Context;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Validated query parameters. */
public final class QueryParameters {

    private static final int MAX_LENGTH = 200;
    private static final int LAST_YEAR = 9998; // the day after is compared with as text of four digits

    private QueryParameters() {}

    public static Optional<String> text(Context request, String name) {
        Optional<String> value = Optional.ofNullable(request.queryParam(name));
        if (value.isPresent() && value.get().length() > MAX_LENGTH) {
            throw ApiException.unprocessable("Longer than " + MAX_LENGTH + " characters", name, "shorten it");
        }
        return value;
    }

    /** A text that stored ones are compared with. */
    public static Optional<String> storedText(Context request, String name) {
        Optional<String> value = text(request, name);
        if (value.isPresent() && value.get().indexOf('\0') >= 0) { // PostgreSQL refuses it
            throw ApiException.unprocessable("Contains the character U+0000", name, "remove it");
        }
        return value;
    }

    /** A day such as 2021-03-01; an empty parameter is none. */
    public static Optional<LocalDate> date(Context request, String name) {
        try {
            Optional<LocalDate> date =
                    text(request, name).filter(value -> !value.isEmpty()).map(LocalDate::parse);
            if (date.filter(day -> day.getYear() < 0 || day.getYear() > LAST_YEAR)
                    .isEmpty()) {
                return date;
            }
        } catch (DateTimeParseException e) {
            // the same error
        }
        throw ApiException.unprocessable("Not a date", name, "send a date such as 2021-03-01");
    }

    /** An integer from 1 to {@code maximum}. */
    public static int integer(Context request, String name, int defaultValue, int maximum) {
        Optional<String> value = text(request, name);
        if (value.isEmpty()) {
            return defaultValue;
        }
        try {
            int number = Integer.parseInt(value.get());
            if (number >= 1 && number <= maximum) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below, like a number out of range
        }
        throw ApiException.unprocessable("Not an integer from 1 to " + maximum, name, "send an integer in this range");
    }
}
