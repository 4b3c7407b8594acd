package org.plant4j.review;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.plant4j.support.Sha256;

/**
 * A row of the table of reviews. Each row's hash covers its columns and the hash of the row before it, so that a row
 * that is changed, inserted or deleted later no longer matches the hashes after it.
 */
record ReviewRow(
        String id,
        String at,
        String reviewer,
        String version,
        @Nullable String document,
        @Nullable String key,
        @Nullable String digest,
        @Nullable String supersedes,
        String body) {

    static final String COLUMNS = "id, at, reviewer, version, document, idempotency_key, digest, supersedes, body";

    /** The hash before the first row. */
    static final String FIRST_HASH = "";

    static ReviewRow read(ResultSet row) throws SQLException {
        return new ReviewRow(
                row.getString("id"),
                row.getString("at"),
                row.getString("reviewer"),
                row.getString("version"),
                row.getString("document"),
                row.getString("idempotency_key"),
                row.getString("digest"),
                row.getString("supersedes"),
                row.getString("body"));
    }

    /** The columns in the order of {@link #COLUMNS}. */
    List<@Nullable String> values() {
        return Arrays.asList(id, at, reviewer, version, document, key, digest, supersedes, body);
    }

    String hash(String previous) {
        MessageDigest sha256 = Sha256.newDigest();
        update(sha256, previous);
        values().forEach(value -> update(sha256, value));
        return Sha256.hex(sha256);
    }

    /** Adds the length and the bytes, so that text cannot move from one column to the next unnoticed. */
    private static void update(MessageDigest sha256, @Nullable String value) {
        byte[] bytes = value == null ? new byte[0] : value.getBytes(StandardCharsets.UTF_8);
        sha256.update(ByteBuffer.allocate(Integer.BYTES)
                .putInt(value == null ? -1 : bytes.length)
                .array());
        sha256.update(bytes);
    }

    /** The review, or empty if the row is damaged. */
    Optional<StoredReview> parse() {
        try {
            Review review = ReviewBody.parse(body);
            String documentId = Optional.ofNullable(document)
                    .or(review::encounter)
                    .filter(each -> !each.isBlank())
                    .orElse(id);
            return Optional.of(new StoredReview(
                    id, Instant.parse(at), reviewer, documentId, Optional.ofNullable(supersedes), review));
        } catch (DateTimeException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
