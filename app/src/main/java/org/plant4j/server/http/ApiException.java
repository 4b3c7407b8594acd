package org.plant4j.server.http;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.plant4j.UserError;
import org.plant4j.fhir.RequestTooLarge;
import org.plant4j.review.database.DatabaseException;
import org.plant4j.review.worklist.WorklistConflict;

/** An error response: the HTTP status, what is wrong, where, and how to fix it. */
public final class ApiException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    public static final int BAD_REQUEST = 400;
    public static final int UNAUTHORIZED = 401;
    public static final int FORBIDDEN = 403;
    public static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    static final int REQUEST_TIMEOUT = 408;
    public static final int CONFLICT = 409;
    public static final int PRECONDITION_FAILED = 412;
    public static final int TOO_LARGE = 413;
    static final int URI_TOO_LONG = 414;
    static final int UNSUPPORTED_MEDIA_TYPE = 415;
    public static final int MISDIRECTED = 421;
    static final int UNPROCESSABLE = 422;
    public static final int TOO_MANY_REQUESTS = 429;
    static final int HEADERS_TOO_LARGE = 431;
    private static final int CLIENT_CLOSED_REQUEST = 499;
    public static final int INTERNAL = 500;
    public static final int UNAVAILABLE = 503;
    static final int INSUFFICIENT_STORAGE = 507;

    private final int status;
    private final String what;
    private final String where;
    private final String remedy;
    private final int retryAfter;

    public ApiException(int status, String what, String where, String remedy) {
        this(status, what, where, remedy, 0);
    }

    private ApiException(int status, String what, String where, String remedy, int retryAfter) {
        super(what, null, false, false); // a response, not a failure: no stack trace
        this.status = status;
        this.what = what;
        this.where = where;
        this.remedy = remedy;
        this.retryAfter = retryAfter;
    }

    public static ApiException unprocessable(String what, String where, String remedy) {
        return new ApiException(UNPROCESSABLE, what, where, remedy);
    }

    /** The error for a status that the web server itself produced, before or instead of calling a route. */
    public static ApiException ofStatus(int status) {
        String remedy = "see /api for the available operations";
        return switch (status) {
            case BAD_REQUEST ->
                new ApiException(status, "The request is malformed", "request", "send a valid HTTP/1.1 request");
            case NOT_FOUND -> new ApiException(status, "Not found", "path", remedy);
            case METHOD_NOT_ALLOWED -> new ApiException(status, "Method not allowed", "method", remedy);
            case URI_TOO_LONG, HEADERS_TOO_LARGE ->
                new ApiException(status, "The request header is too large", "request", "send shorter headers");
            default -> new ApiException(status, "The request was rejected", "request", remedy);
        };
    }

    public static ApiException of(UserError error) {
        return new ApiException(UNPROCESSABLE, error.what(), error.where(), error.remedy());
    }

    public static ApiException of(RequestTooLarge error) {
        return new ApiException(TOO_LARGE, error.what(), "body", "send several requests");
    }

    /** A failure of the review database: 507 if the disk is full, otherwise 503, always with {@code Retry-After}. */
    public static ApiException of(DatabaseException failure) {
        String where = "review database";
        return switch (failure.kind()) {
            case BUSY -> new ApiException(UNAVAILABLE, "The review database is busy", where, "try again in 2 s", 2);
            case FULL ->
                new ApiException(
                        INSUFFICIENT_STORAGE,
                        "The disk of the review database is full; nothing was stored",
                        where,
                        "ask the administrator to free space, then try again",
                        60);
            case READ_ONLY ->
                new ApiException(
                        UNAVAILABLE,
                        "The review database is read-only; nothing was stored",
                        where,
                        "ask the administrator to make it writable, then try again",
                        60);
            case CORRUPT ->
                new ApiException(
                        UNAVAILABLE,
                        "The review database is damaged",
                        where,
                        "ask the administrator to restore it from a backup",
                        600);
            case UNREACHABLE ->
                new ApiException(
                        UNAVAILABLE,
                        "The review database cannot be reached",
                        where,
                        "try again in a minute, or ask the administrator",
                        60);
            case FAILED ->
                new ApiException(
                        UNAVAILABLE,
                        "The review database failed",
                        where,
                        "ask the administrator to check the server log",
                        60);
        };
    }

    public static ApiException of(WorklistConflict conflict) {
        return new ApiException(CONFLICT, conflict.what(), conflict.where(), conflict.remedy());
    }

    /** 429 with a {@code Retry-After} header. */
    public static ApiException tooManyRequests(String what, String where, int seconds) {
        return new ApiException(TOO_MANY_REQUESTS, what, where, "try again in " + seconds + " s", seconds);
    }

    /** Never sent: the client has closed the connection. The status, which nginx made common, appears in metrics. */
    public static ApiException clientGone() {
        return new ApiException(CLIENT_CLOSED_REQUEST, "The client has closed the connection", "connection", "wait");
    }

    public boolean isClientGone() {
        return status == CLIENT_CLOSED_REQUEST;
    }

    /** The log has the reason, which may quote a document. */
    public static ApiException internal(String where) {
        return new ApiException(
                INTERNAL, "Internal server error", where, "ask the administrator to check the server log");
    }

    public static ApiException shuttingDown() {
        return new ApiException(UNAVAILABLE, "The server is shutting down", "server", "try again in a minute", 60);
    }

    public int status() {
        return status;
    }

    public OptionalInt retryAfter() {
        return retryAfter > 0 ? OptionalInt.of(retryAfter) : OptionalInt.empty();
    }

    public Map<String, String> body() {
        Map<String, String> body = new LinkedHashMap<>();
        body.put("error", what);
        body.put("where", where);
        body.put("remedy", remedy);
        return body;
    }
}
