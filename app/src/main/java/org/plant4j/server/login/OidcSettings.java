package org.plant4j.server.login;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.UserError;
import org.plant4j.review.access.Role;

/**
 * An OpenID Connect provider and what this server is to it; the names in errors are those of the command line.
 *
 * @param issuer the provider's issuer URL, under which its configuration is found
 * @param clientSecret empty for a public client
 * @param scopes requested in addition to {@code openid}
 * @param roles how the roles of a user are found
 * @param sessions how long a user stays signed in
 */
public record OidcSettings(
        URI issuer,
        String clientId,
        Optional<String> clientSecret,
        List<String> scopes,
        Roles roles,
        SessionLimits sessions) {

    public OidcSettings {
        requireSecure("--oidc-issuer", issuer);
        scopes = List.copyOf(scopes);
    }

    /**
     * The claim of the ID token that lists roles or groups, and the role of each value. A dot in the claim leads into an
     * object: {@code realm_access.roles}.
     */
    public record Roles(String claim, Map<String, Role> byValue) {

        public Roles {
            byValue = Map.copyOf(byValue);
        }
    }

    /** A session ends after {@code idle} without a request, and after {@code lifetime} in any case. */
    public record SessionLimits(Duration idle, Duration lifetime) {}

    /** Secrets travel to this URL, so it has TLS, unless it is on this machine. */
    static void requireSecure(String option, URI url) {
        boolean secure =
                "https".equals(url.getScheme()) || ("http".equals(url.getScheme()) && isLoopback(url.getHost()));
        if (!secure || url.getHost() == null) {
            throw new UserError(
                    "Not an https URL",
                    option + " " + url,
                    "use a URL such as https://login.example.org/realms/clinic");
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
