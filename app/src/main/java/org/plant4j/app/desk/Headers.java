package org.plant4j.app.desk;

import io.javalin.http.Context;

/** What every answer tells the browser: run nothing, load nothing, show nothing that is not ours. */
final class Headers {

    /** For answers that are no page. */
    private static final String NOTHING = "default-src 'none'; frame-ancestors 'none'";

    /** For the desk's own pages: their own files, and nothing inline. */
    static final String PAGE = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            + "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'";

    /** For a self-contained page that carries its style and has no script. */
    static final String DOCUMENT =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
                    + "frame-ancestors 'self'";

    private Headers() {}

    static void standard(Context answer) {
        answer.header("Content-Security-Policy", NOTHING)
                .header("X-Content-Type-Options", "nosniff")
                .header("X-Frame-Options", "DENY")
                .header("Referrer-Policy", "no-referrer")
                .header("Cross-Origin-Opener-Policy", "same-origin")
                .header("Cross-Origin-Resource-Policy", "same-origin")
                .header("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
                .header("Cache-Control", "no-store");
    }

    static void policy(Context answer, String policy) {
        answer.header("Content-Security-Policy", policy);
    }
}
