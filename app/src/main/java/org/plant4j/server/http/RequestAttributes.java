package org.plant4j.server.http;

import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.plant4j.support.Sha256;

/** What handlers and the server tell each other about a request. */
public final class RequestAttributes {

    private static final String DOCUMENT = "document";
    private static final Pattern ID = Pattern.compile("\\S{1,200}");
    private static final int DIGEST_LENGTH = 24;
    private static final String CLIENT_GONE = "client gone";

    private RequestAttributes() {}

    /**
     * Names a document of the request in the audit log. What does not look like an id could be text of a document or name
     * a patient: its digest is logged instead.
     */
    public static void addDocument(Context request, String id) {
        List<String> documents =
                Optional.ofNullable(request.<List<String>>attribute(DOCUMENT)).orElseGet(ArrayList::new);
        documents.add(ID.matcher(id).matches() ? id : "sha256:" + Sha256.of(id).substring(0, DIGEST_LENGTH));
        request.attribute(DOCUMENT, documents);
    }

    /** The ids of the documents of the request, separated by commas. */
    public static String document(Context request) {
        return String.join(
                ", ",
                Optional.ofNullable(request.<List<String>>attribute(DOCUMENT)).orElse(List.of()));
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
