package org.plant4j.app.desk;

import io.javalin.http.Context;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps other web sites from using a visitor's browser against the desk: on loopback the request must name this machine
 * (a foreign name that resolves to it is an attack), and where a browser tells the page it comes from, it must be ours.
 */
final class Guard {

    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

    private final boolean loopback;

    Guard(boolean loopback) {
        this.loopback = loopback;
    }

    void check(Context request) {
        String host = Optional.ofNullable(request.header("Host")).orElse("").toLowerCase(Locale.ROOT);
        if (loopback && !isThisMachine(host)) {
            throw new Problem(Problem.MISDIRECTED, "This server has another name", "Host", "use localhost");
        }
        String origin = request.header("Origin");
        if (origin != null && !isOf(host, origin)) {
            throw new Problem(
                    Problem.FORBIDDEN, "Other web sites may not use this server", "Origin", "open the desk itself");
        }
    }

    private static boolean isThisMachine(String host) {
        String name = host.replaceFirst(":[0-9]*$", "");
        return THIS_MACHINE.contains(name) || name.matches("127(\\.[0-9]{1,3}){3}");
    }

    private static boolean isOf(String host, String origin) {
        try {
            return host.equals(String.valueOf(URI.create(origin).getAuthority()).toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** What the server itself refuses, in the desk's words. */
    static Problem problem(int status) {
        return switch (status) {
            case Problem.NOT_FOUND ->
                new Problem(status, "There is nothing here", "path", "see /api for what there is");
            case 405 -> new Problem(status, "The path has other methods", "method", "see /api for what there is");
            case Problem.BAD_REQUEST -> new Problem(status, "The request is malformed", "request", "mend it");
            case 431, 414 -> new Problem(status, "The request's head is too large", "request", "shorten it");
            default -> new Problem(status, "The request was refused", "request", "see /api for what there is");
        };
    }
}
