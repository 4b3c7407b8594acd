package org.plant4j.review;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The hash chain over the rows of reviews. */
final class ReviewChain {

    private static final int FETCH_SIZE = 100;

    private long rows;
    private long unchained;
    private String previous = ReviewRow.FIRST_HASH;
    private final List<ReviewCheck.Problem> problems = new ArrayList<>();

    private ReviewChain() {}

    /** The hash of the last row. Rows without a hash, which earlier versions stored, are hashed now. */
    static String head(Connection connection) throws SQLException {
        try (PreparedStatement select =
                        connection.prepareStatement("SELECT hash FROM review ORDER BY number DESC LIMIT 1");
                ResultSet last = select.executeQuery()) {
            if (!last.next()) {
                return ReviewRow.FIRST_HASH;
            }
            String hash = last.getString(1);
            return hash == null ? compute(connection).previous : hash;
        }
    }

    /** Recomputes all hashes and reads all reviews. */
    static ReviewCheck check(Connection connection) throws SQLException {
        ReviewChain chain = compute(connection);
        return new ReviewCheck(
                chain.rows,
                chain.unchained,
                chain.rows == 0 ? Optional.empty() : Optional.of(chain.previous),
                chain.problems);
    }

    private static ReviewChain compute(Connection connection) throws SQLException {
        ReviewChain chain = new ReviewChain();
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT number, hash, " + ReviewRow.COLUMNS + " FROM review ORDER BY number")) {
            select.setFetchSize(FETCH_SIZE);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    chain.add(
                            rows.getLong("number"), Optional.ofNullable(rows.getString("hash")), ReviewRow.read(rows));
                }
            }
        }
        return chain;
    }

    private void add(long number, Optional<String> stored, ReviewRow row) {
        String computed = row.hash(previous);
        // Only version 0.1 stored rows without a hash; it knew no digest either.
        boolean old = stored.isEmpty() && row.digest() == null && unchained == rows;
        if (stored.isEmpty() && !old) {
            problems.add(new ReviewCheck.Problem(number, row.id(), "has no hash: it was removed or never computed"));
        } else if (stored.isPresent() && !stored.get().equals(computed)) {
            problems.add(new ReviewCheck.Problem(
                    number, row.id(), "does not match its hash: it or a row before it was changed or deleted"));
        }
        if (row.parse().isEmpty()) {
            problems.add(new ReviewCheck.Problem(number, row.id(), "cannot be read"));
        }
        unchained += old ? 1 : 0;
        rows++;
        previous = stored.orElse(computed); // continue from the stored hash, to find every break and not only the first
    }
}
