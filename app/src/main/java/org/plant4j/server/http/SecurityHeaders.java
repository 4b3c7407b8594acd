package org.plant4j.server.http;

import io.javalin.http.Context;

/** What every answer tells the browser: run nothing, load nothing, show nothing that is not ours. */
public final class SecurityHeaders {

    /** For answers that are no page. */
    private static final String API_POLICY = "default-src 'none'; frame-ancestors 'none'";

    /** For the desk's own pages: their own files, and nothing inline. */
    public static final String PAGE_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                    + "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
                    + "frame-ancestors 'none'";

    /** For a self-contained page that carries its style and has no script. */
    public static final String DOCUMENT_POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
                    + "frame-ancestors 'self'";

    private SecurityHeaders() {}

    public static void addDefaults(Context answer) {
        answer.header("Content-Security-Policy", API_POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("X-Frame-Options", "DENY")
                .header("Referrer-Policy", "no-referrer")
                .header("Cross-Origin-Opener-Policy", "same-origin")
                .header("Cross-Origin-Resource-Policy", "same-origin")
                .header("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
                .header("Cache-Control", "no-store");
    }

    public static void setContentSecurityPolicy(Context answer, String policy) {
        answer.header("Content-Security-Policy", policy);
    }
}
