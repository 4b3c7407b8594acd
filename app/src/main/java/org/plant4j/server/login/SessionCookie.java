package org.plant4j.server.login;

import io.javalin.http.Context;
import java.util.Optional;

/**
 * A cookie that only this server reads, only over TLS. The prefix {@code __Host-} makes browsers reject one that another
 * host, a subdomain or an unencrypted page has set.
 */
record SessionCookie(String name, String sameSite) {

    /** Never sent with requests that other sites cause; the pages are static, so they work without it. */
    static final SessionCookie SESSION = new SessionCookie("__Host-plant4j", "Strict");

    /** Sent when the provider redirects back. */
    static final SessionCookie LOGIN = new SessionCookie("__Host-plant4j-login", "Lax");

    Optional<String> read(Context request) {
        return Optional.ofNullable(request.cookie(name)).filter(value -> !value.isEmpty());
    }

    /** Until the browser is closed. */
    void write(Context response, String value) {
        add(response, value, "");
    }

    void delete(Context response) {
        add(response, "", "; Max-Age=0");
    }

    private void add(Context response, String value, String age) {
        response.res()
                .addHeader("Set-Cookie", name + "=" + value + "; Path=/; Secure; HttpOnly; SameSite=" + sameSite + age);
    }
}
