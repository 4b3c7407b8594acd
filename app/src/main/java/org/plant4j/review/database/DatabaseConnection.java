package org.plant4j.review.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is used by one thread at a time and reopened if it breaks. The load is about one review per second
 * at most, so a connection pool would only add failure modes.
 */
final class DatabaseConnection implements AutoCloseable {

    private static final int VALIDATION_TIMEOUT_SECONDS = 5;

    /** Opens a new connection. */
    @FunctionalInterface
    interface Connector {
        Connection connect() throws SQLException;
    }

    private final Connector connector;
    private final boolean validated;
    private final ReentrantLock lock = new ReentrantLock(true);
    private @Nullable Connection connection;

    /** {@code validated}: whether the connection is checked before each use, because a server may have closed it. */
    DatabaseConnection(Connector connector, boolean validated) {
        this.connector = connector;
        this.validated = validated;
    }

    /** Runs a function with the connection; waits for other threads as long as a write waits for a lock. */
    <T> T use(Database.SqlFunction<T> work) {
        acquire();
        try {
            return work.apply(current());
        } catch (SQLException e) {
            throw DatabaseException.of(e);
        } finally {
            lock.unlock();
        }
    }

    private void acquire() {
        try {
            if (!lock.tryLock(Database.LOCK_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw DatabaseException.busy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw DatabaseException.busy();
        }
    }

    private Connection current() throws SQLException {
        Connection current = connection;
        if (current != null && lock.getHoldCount() > 1) {
            return current; // within a transaction, which a new connection would not belong to
        }
        if (current == null || current.isClosed() || (validated && !current.isValid(VALIDATION_TIMEOUT_SECONDS))) {
            current = connector.connect();
            connection = current;
        }
        return current;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            throw DatabaseException.of(e);
        } finally {
            lock.unlock();
        }
    }
}
