package org.plant4j.server.access;

import io.javalin.http.Context;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.plant4j.server.http.ApiException;

/**
 * Keeps other web sites from using a visitor's browser against the desk: on loopback the request must name this machine
 * (a foreign name that resolves to it is an attack), and where a browser tells the page it comes from, it must be ours.
 */
public final class OriginGuard {

    private static final Set<String> LOOPBACK_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

    private final boolean loopback;

    public OriginGuard(boolean loopback) {
        this.loopback = loopback;
    }

    public void check(Context request) {
        String host = Optional.ofNullable(request.header("Host")).orElse("").toLowerCase(Locale.ROOT);
        if (loopback && !isLoopbackHost(host)) {
            throw new ApiException(ApiException.MISDIRECTED, "This server has another name", "Host", "use localhost");
        }
        String origin = request.header("Origin");
        if (origin != null && !isSameOrigin(host, origin)) {
            throw new ApiException(
                    ApiException.FORBIDDEN,
                    "Other web sites may not use this server",
                    "Origin",
                    "open the desk itself");
        }
    }

    private static boolean isLoopbackHost(String host) {
        String name = host.replaceFirst(":[0-9]*$", "");
        return LOOPBACK_HOSTS.contains(name) || name.matches("127(\\.[0-9]{1,3}){3}");
    }

    private static boolean isSameOrigin(String host, String origin) {
        try {
            return host.equals(String.valueOf(URI.create(origin).getAuthority()).toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** What the server itself refuses, in the desk's words. */
    public static ApiException problem(int status) {
        return switch (status) {
            case ApiException.NOT_FOUND ->
                new ApiException(status, "There is nothing here", "path", "see /api for what there is");
            case 405 -> new ApiException(status, "The path has other methods", "method", "see /api for what there is");
            case ApiException.BAD_REQUEST -> new ApiException(status, "The request is malformed", "request", "mend it");
            case 431, 414 -> new ApiException(status, "The request's head is too large", "request", "shorten it");
            default -> new ApiException(status, "The request was refused", "request", "see /api for what there is");
        };
    }
}
