package org.plant4j.server.access;

import io.javalin.http.Context;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Where a request comes from. {@code X-Forwarded-For} counts only if a configured proxy sent it; anybody else could have
 * made it up.
 *
 * @param address the client's address
 * @param direct whether no proxy has forwarded the request, as far as its headers tell
 */
public record ClientAddress(String address, boolean direct) {

    private static final List<String> FORWARDING = List.of("X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "Via");

    /** {@code proxies}: the addresses of configured proxies. */
    public static ClientAddress of(Context request, Set<String> proxies) {
        boolean direct = FORWARDING.stream().noneMatch(name -> request.header(name) != null);
        String sender = request.ip();
        if (!proxies.contains(sender)) {
            return new ClientAddress(sender, direct);
        }
        return new ClientAddress(lastUnknown(forwardedFor(request), proxies, sender), false);
    }

    /** The whole list: a proxy may add a header line of its own instead of extending the client's. */
    private static String forwardedFor(Context request) {
        return String.join(",", Collections.list(request.req().getHeaders("X-Forwarded-For")));
    }

    /** The last address of the list that is not a proxy: those before it are what the client claims. */
    static String lastUnknown(String forwardedFor, Set<String> proxies, String sender) {
        String[] addresses = forwardedFor.split(",", -1);
        for (int i = addresses.length - 1; i >= 0; i--) {
            String address = addresses[i].strip();
            if (!address.isEmpty() && !proxies.contains(address)) {
                return address;
            }
        }
        return sender;
    }
}
