package org.plant4j.server;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.plant4j.Document;
import org.plant4j.UserError;

/**
 * Settings of the coding server.
 *
 * @param keepText whether the texts of reviewed documents are stored
 * @param auditLog the file that records who did what, if any
 * @param tabularLists editions of the tabular list of ICD-10-CM, for code edits
 */
public record ServerSettings(
        String host,
        int port,
        boolean keepText,
        Limits limits,
        Proxies proxies,
        Optional<Path> auditLog,
        List<Path> tabularLists) {

    /** Settings without a proxy and an audit log. */
    public ServerSettings(String host, int port, boolean keepText, Limits limits) {
        this(host, port, keepText, limits, new Proxies(Set.of(), Optional.empty()), Optional.empty(), List.of());
    }

    /**
     * The proxies in front of the server, and pages of other servers.
     *
     * @param addresses those whose {@code X-Forwarded-For} is believed
     * @param publicUrl the URL under which they publish the server
     * @param cdsOrigins origins whose pages may call CDS Hooks
     */
    public record Proxies(Set<String> addresses, Optional<URI> publicUrl, Set<String> cdsOrigins) {

        public Proxies(Set<String> addresses, Optional<URI> publicUrl) {
            this(addresses, publicUrl, Set.of());
        }

        public Proxies {
            addresses = Set.copyOf(addresses);
            cdsOrigins = Set.copyOf(cdsOrigins);
            cdsOrigins.forEach(Proxies::requireOrigin);
            publicUrl.ifPresent(url -> {
                if (url.getAuthority() == null
                        || !String.valueOf(url.getScheme()).matches("https?")) {
                    throw new UserError(
                            "Not a URL", "--public-url " + url, "use a URL such as https://coding.example.org");
                }
            });
        }

        private static void requireOrigin(String origin) {
            if (!origin.matches("https?://[^/?#\\s]+")) {
                throw new UserError(
                        "Not an origin",
                        "--cds-origin " + origin,
                        "use scheme and host, such as https://ehr.example.org");
            }
        }
    }

    /**
     * Limits of the server; the names in errors are those of the command line.
     *
     * @param maxLength characters per document
     * @param queueSize documents that may wait
     * @param batchSize documents coded in one forward pass
     * @param rateLimit requests per second and user; 0 means no limit
     * @param bodyTimeoutSeconds seconds that a client may take to send a body
     */
    public record Limits(int maxLength, int queueSize, int batchSize, int rateLimit, int bodyTimeoutSeconds) {

        public Limits {
            requireAtLeast(1, "--max-length", maxLength);
            if (maxLength > Document.MAX_CHARACTERS) {
                throw new UserError(
                        maxLength + " is too large", "--max-length", "use at most " + Document.MAX_CHARACTERS);
            }
            requireAtLeast(1, "--queue-size", queueSize);
            requireAtLeast(1, "--batch-size", batchSize);
            requireAtLeast(0, "--rate-limit", rateLimit);
        }

        private static void requireAtLeast(int minimum, String option, int value) {
            if (value < minimum) {
                throw new UserError(value + " is too small", option, "use " + minimum + " or more");
            }
        }
    }

    /** Whether only this machine can send requests: the server listens on loopback, and no proxy publishes it. */
    boolean isLocal() {
        return isLoopback()
                && proxies.addresses().isEmpty()
                && proxies.publicUrl().isEmpty();
    }

    public boolean isLoopback() {
        return isLoopback(host);
    }

    /** Whether a host can be reached from this machine only. */
    public static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new UserError("Unknown host", "--host " + host, "use 127.0.0.1 or 0.0.0.0", e);
        }
    }
}
