package org.plant4j.support;

import java.util.Optional;

/** Short forms of error messages. */
public final class ErrorMessages {

    private ErrorMessages() {}

    /** The first line of an error's message, or its type if it has no message. */
    public static String firstLine(Throwable error) {
        return Optional.ofNullable(error.getMessage())
                .flatMap(message -> message.lines().findFirst())
                .orElse(error.getClass().getSimpleName());
    }
}
