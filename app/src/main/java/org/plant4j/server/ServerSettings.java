package org.plant4j.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.plant4j.corpus.Document;
import org.plant4j.support.UserError;

/** Settings of the coding server. {@code keepText}: whether the texts of reviewed documents are stored. */
public record ServerSettings(String host, int port, boolean keepText, Limits limits) {

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
