package org.plant4j.app.desk;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.plant4j.UserError;

/** A request that gets no result: the status, and for whoever sent it what is wrong, where, and the remedy. */
final class Problem extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    static final int BAD_REQUEST = 400;
    static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int TIMEOUT = 408;
    static final int CONFLICT = 409;
    static final int TOO_LARGE = 413;
    static final int MEDIA_TYPE = 415;
    static final int MISDIRECTED = 421;
    static final int SENSELESS = 422;
    static final int TOO_MANY = 429;
    static final int INTERNAL = 500;
    static final int UNAVAILABLE = 503;

    private final int status;
    private final String what;
    private final String where;
    private final String remedy;
    private final int retryAfter;

    Problem(int status, String what, String where, String remedy) {
        this(status, what, where, remedy, 0);
    }

    private Problem(int status, String what, String where, String remedy, int retryAfter) {
        super(what, null, false, false); // an answer, not a fault: nobody reads its trace
        this.status = status;
        this.what = what;
        this.where = where;
        this.remedy = remedy;
        this.retryAfter = retryAfter;
    }

    static Problem senseless(String what, String where, String remedy) {
        return new Problem(SENSELESS, what, where, remedy);
    }

    static Problem of(UserError error) {
        return new Problem(SENSELESS, error.what(), error.where(), error.remedy());
    }

    /** Too much at once: the client may come again after these seconds. */
    static Problem tooMany(String what, String where, int seconds) {
        return new Problem(TOO_MANY, what, where, "try again in " + seconds + " s", seconds);
    }

    static Problem stopping() {
        return new Problem(UNAVAILABLE, "The server is shutting down", "server", "try again in a minute", 60);
    }

    int status() {
        return status;
    }

    OptionalInt retryAfter() {
        return retryAfter > 0 ? OptionalInt.of(retryAfter) : OptionalInt.empty();
    }

    Map<String, String> body() {
        Map<String, String> body = new LinkedHashMap<>();
        body.put("error", what);
        body.put("where", where);
        body.put("remedy", remedy);
        return body;
    }
}
