package org.plant4j.server.http;

import io.javalin.http.Context;

/** HTTP security headers, with one content security policy per kind of response. */
public final class SecurityHeaders {

    /** For API responses, which are not pages. */
    private static final String API_POLICY = "default-src 'none'; frame-ancestors 'none'";

    /** For the web pages: scripts and styles from this server only, nothing inline. */
    public static final String PAGE_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                    + "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
                    + "frame-ancestors 'none'";

    /** For self-contained HTML documents with inline styles and without scripts. */
    public static final String DOCUMENT_POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
                    + "frame-ancestors 'self'";

    private SecurityHeaders() {}

    public static void addDefaults(Context response) {
        response.header("Content-Security-Policy", API_POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("X-Frame-Options", "DENY")
                .header("Referrer-Policy", "no-referrer")
                .header("Cross-Origin-Opener-Policy", "same-origin")
                .header("Cross-Origin-Resource-Policy", "same-origin")
                .header("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
                .header("Cache-Control", "no-store");
    }

    /** Tells browsers to use TLS only, for a year; they ignore it on an unencrypted connection. */
    public static void requireEncryption(Context response) {
        response.header("Strict-Transport-Security", "max-age=31536000");
    }

    public static void setContentSecurityPolicy(Context response, String policy) {
        response.header("Content-Security-Policy", policy);
    }
}
