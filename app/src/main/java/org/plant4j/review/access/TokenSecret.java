package org.plant4j.review.access;

import java.security.SecureRandom;
import java.util.Base64;
import org.plant4j.support.Sha256;

/** The secret of an access token: 256 random bits, so an unsalted hash is safe to store. */
public final class TokenSecret {

    private static final int BYTES = 32;

    private TokenSecret() {}

    public static String generate() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return "plant_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** SHA-256 in hexadecimal. */
    public static String hash(String secret) {
        return Sha256.of(secret);
    }
}
