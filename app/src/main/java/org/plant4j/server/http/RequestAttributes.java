package org.plant4j.server.http;

import io.javalin.http.Context;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What handlers and the server tell each other about a request. */
public final class RequestAttributes {

    private static final String DOCUMENT = "document";
    private static final String CLIENT_GONE = "client gone";

    private RequestAttributes() {}

    /** Names a document of the request in the audit log. */
    public static void addDocument(Context request, String id) {
        String before = document(request);
        request.attribute(DOCUMENT, before.isEmpty() ? id : before + ", " + id);
    }

    /** The ids of the documents of the request, separated by commas. */
    public static String document(Context request) {
        return Optional.ofNullable(request.<String>attribute(DOCUMENT)).orElse("");
    }

    public static void setClientGone(Context request, BooleanSupplier gone) {
        request.attribute(CLIENT_GONE, gone);
    }

    /** Whether the client has hung up; may be called by any thread until the response is sent. */
    public static BooleanSupplier clientGone(Context request) {
        return Optional.ofNullable(request.<BooleanSupplier>attribute(CLIENT_GONE))
                .orElse(() -> false);
    }
}
