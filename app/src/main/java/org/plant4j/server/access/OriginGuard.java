package org.plant4j.server.access;

import io.javalin.http.Context;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.plant4j.server.http.ApiException;

/**
 * Protects against cross-origin requests and DNS rebinding: on loopback the {@code Host} header must name this machine,
 * and an {@code Origin} header must match the host.
 */
public final class OriginGuard {

    private static final Set<String> LOOPBACK_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

    private final boolean loopback;
    private static final String CDS_PATH = "/cds-services";

    private final Optional<String> publicHost;
    private final Set<String> cdsOrigins;

    public OriginGuard(boolean loopback, Optional<String> publicHost) {
        this(loopback, publicHost, Set.of());
    }

    /**
     * Creates a guard.
     *
     * @param publicHost host and port under which a proxy publishes this server
     * @param cdsOrigins origins whose pages may call CDS Hooks, and nothing else
     */
    public OriginGuard(boolean loopback, Optional<String> publicHost, Set<String> cdsOrigins) {
        this.cdsOrigins = Set.copyOf(cdsOrigins);
        this.loopback = loopback;
        this.publicHost = publicHost.map(host -> host.toLowerCase(Locale.ROOT));
    }

    public void check(Context request) {
        String host = Optional.ofNullable(request.header("Host")).orElse("").toLowerCase(Locale.ROOT);
        if (loopback && !isLoopbackHost(host) && !publicHost.map(host::equals).orElse(false)) {
            throw new ApiException(ApiException.MISDIRECTED, "The host name is not allowed", "Host", "use localhost");
        }
        String origin = request.header("Origin");
        if (origin != null && cdsOrigins.contains(origin) && isCdsHooks(request.path())) {
            request.header("Access-Control-Allow-Origin", origin).header("Vary", "Origin");
        } else if (origin != null && !isSameOrigin(host, origin) && !isPublicOrigin(origin)) {
            throw new ApiException(
                    ApiException.FORBIDDEN,
                    "Cross-origin requests are not allowed",
                    "Origin",
                    "open the page of this server");
        }
    }

    public boolean allowsCrossOrigin() {
        return !cdsOrigins.isEmpty();
    }

    public static boolean isCdsHooks(String path) {
        return path.equals(CDS_PATH) || path.startsWith(CDS_PATH + "/");
    }

    /** Answers a browser that asks whether a page may call CDS Hooks; {@link #check} has decided it. */
    public static void answerPreflight(Context request) {
        request.status(204)
                .header("Access-Control-Allow-Methods", "GET, POST")
                .header("Access-Control-Allow-Headers", "Authorization, Content-Type")
                .header("Access-Control-Max-Age", "600");
    }

    private static boolean isLoopbackHost(String host) {
        String name = host.replaceFirst(":[0-9]*$", "");
        return LOOPBACK_HOSTS.contains(name) || name.matches("127(\\.[0-9]{1,3}){3}");
    }

    private boolean isPublicOrigin(String origin) {
        return publicHost.map(host -> isSameOrigin(host, origin)).orElse(false);
    }

    private static boolean isSameOrigin(String host, String origin) {
        try {
            return host.equals(String.valueOf(URI.create(origin).getAuthority()).toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
