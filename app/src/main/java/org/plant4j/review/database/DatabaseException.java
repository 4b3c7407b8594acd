package org.plant4j.review.database;

import java.io.Serial;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** A failed database operation. Drops the driver's message, because a database may quote a row with a document in it. */
public final class DatabaseException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** What is wrong with the database. */
    public enum Kind {
        /** Locked by another process or connection. */
        BUSY,
        /** The disk is full. */
        FULL,
        READ_ONLY,
        /** Damaged, or not a database. */
        CORRUPT,
        /** No connection to the database. */
        UNREACHABLE,
        /** Anything else: the SQL state tells what. */
        FAILED
    }

    /** Primary result codes of SQLite. */
    private static final Map<Integer, Kind> SQLITE_CODES = Map.of(
            5, Kind.BUSY,
            6, Kind.BUSY,
            8, Kind.READ_ONLY,
            10, Kind.UNREACHABLE,
            11, Kind.CORRUPT,
            13, Kind.FULL,
            14, Kind.UNREACHABLE,
            26, Kind.CORRUPT);

    /** SQL states of PostgreSQL; the first two characters are a class. */
    private static final Map<String, Kind> SQL_STATES = Map.of(
            "08", Kind.UNREACHABLE,
            "57P", Kind.UNREACHABLE,
            "40", Kind.BUSY,
            "55P03", Kind.BUSY,
            "57014", Kind.BUSY,
            "53100", Kind.FULL,
            "25006", Kind.READ_ONLY,
            "XX001", Kind.CORRUPT,
            "XX002", Kind.CORRUPT);

    private final Kind kind;
    private final String sqlState;

    private DatabaseException(Kind kind, String sqlState) {
        super("review database failed: " + kind + ", SQL state " + sqlState);
        this.kind = kind;
        this.sqlState = sqlState;
    }

    static DatabaseException of(SQLException e) {
        return new DatabaseException(kind(e), describeState(e));
    }

    /** Another thread has held the connection for too long. */
    static DatabaseException busy() {
        return new DatabaseException(Kind.BUSY, "none: waited for another request");
    }

    private static Kind kind(SQLException e) {
        String state = Optional.ofNullable(e.getSQLState()).orElse("");
        if (state.isEmpty()) {
            return SQLITE_CODES.getOrDefault(e.getErrorCode() & 0xff, Kind.FAILED);
        }
        for (int length = state.length(); length >= 2; length--) {
            Kind kind = SQL_STATES.get(state.substring(0, length));
            if (kind != null) {
                return kind;
            }
        }
        return Kind.FAILED;
    }

    /** SQL state and vendor code of the first SQL exception among an exception and its causes. */
    static String describeState(Throwable e) {
        for (Optional<Throwable> cause = Optional.of(e); cause.isPresent(); cause = cause.map(Throwable::getCause)) {
            if (cause.get() instanceof SQLException sql) {
                return Optional.ofNullable(sql.getSQLState()).orElse("none") + ", code " + sql.getErrorCode();
            }
        }
        return "unknown";
    }

    public Kind kind() {
        return kind;
    }

    /** SQL state and vendor code, for the log. */
    public String sqlState() {
        return sqlState;
    }
}
