package org.plant4j.review;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.plant4j.support.UserError;

/**
 * One connection to SQLite or PostgreSQL, used by one thread at a time and opened again where it broke. A review a second
 * is a busy desk, so a pool would only be more to fail.
 */
public final class Database implements AutoCloseable {

    static final String SQLITE = "jdbc:sqlite:";
    static final String POSTGRESQL = "jdbc:postgresql:";

    private static final int VALIDATION_TIMEOUT_SECONDS = 5;

    /** Work on a connection. */
    @FunctionalInterface
    interface SqlFunction<T> {
        T apply(Connection connection) throws SQLException;
    }

    private final String url;
    private @Nullable Connection connection;

    private Database(String url) {
        this.url = url;
    }

    /** Opens the database, and makes or migrates its tables. */
    static Database open(String url) {
        boolean sqlite = url.startsWith(SQLITE);
        if (!sqlite && !url.startsWith(POSTGRESQL)) {
            throw new UserError(
                    "Reviews cannot be kept there",
                    withoutParameters(url),
                    "give jdbc:sqlite:FILE, or jdbc:postgresql://HOST/DATABASE?user=…&password=…");
        }
        if (sqlite) {
            prepareFile(withoutParameters(url).substring(SQLITE.length()));
        }
        Database database = new Database(url);
        try {
            database.connection = database.connect();
        } catch (SQLException e) {
            throw cannotOpen(url, e);
        }
        try {
            Flyway.configure()
                    .dataSource(url, null, null)
                    .locations("classpath:org/plant4j/review/" + (sqlite ? "sqlite" : "postgresql"))
                    .table("plant4j_migrations")
                    .baselineOnMigrate(true) // a PostgreSQL schema may hold other tables
                    .baselineVersion("0")
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            database.close();
            throw new UserError(
                    "The database of reviews cannot be brought up to this version: SQL state " + sqlState(e),
                    withoutParameters(url),
                    "use the version of Plant4j that made it, or a newer one; else another database",
                    e);
        }
        return database;
    }

    /** Notes lie in it, so nobody but its owner may read it. */
    private static void prepareFile(String name) {
        if (name.isBlank() || name.startsWith(":")) {
            throw new UserError("Reviews need a file", SQLITE + name, "give jdbc:sqlite:FILE");
        }
        Path file = Path.of(name);
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            if (!Files.exists(file)) {
                if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
                    Files.createFile(
                            file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                } else {
                    Files.createFile(file);
                }
            }
        } catch (IOException e) {
            throw new UserError(
                    "The file of reviews cannot be made", file.toString(), "choose a folder that can be written", e);
        }
    }

    private Connection connect() throws SQLException {
        Connection fresh = DriverManager.getConnection(url);
        if (url.startsWith(SQLITE)) {
            // An acknowledged review must outlive the power: the log is synced at every commit, not now and then.
            for (String pragma : List.of("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 10000")) {
                try (Statement statement = fresh.createStatement()) {
                    statement.execute("PRAGMA " + pragma);
                }
            }
        }
        return fresh;
    }

    /** Does the work in one transaction; when it returns, what was written is safe. */
    synchronized <T> T inTransaction(SqlFunction<T> work) {
        try {
            Connection open = current();
            open.setAutoCommit(false);
            try {
                T result = work.apply(open);
                open.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                rollBack(open);
                throw e;
            }
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Reads on a connection of its own, so that a long reading holds up no writer. */
    void onOwnConnection(SqlFunction<?> work) {
        try (Connection own = connect()) {
            own.setAutoCommit(false); // PostgreSQL fetches in portions only within a transaction
            work.apply(own);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private Connection current() throws SQLException {
        Connection known = connection;
        if (known == null
                || known.isClosed()
                || (!url.startsWith(SQLITE) && !known.isValid(VALIDATION_TIMEOUT_SECONDS))) {
            known = connect();
            connection = known;
        }
        return known;
    }

    private static void rollBack(Connection open) throws SQLException {
        try {
            open.rollback();
        } catch (SQLException e) {
            open.close(); // a connection of which nothing is known is not used again
        }
    }

    /** Neither message nor cause goes on: a database may quote the row that failed, and the note in it. */
    private static IllegalStateException failed(SQLException e) {
        return new IllegalStateException("the database of reviews failed: SQL state " + sqlState(e));
    }

    private static String sqlState(Throwable e) {
        for (Optional<Throwable> cause = Optional.of(e); cause.isPresent(); cause = cause.map(Throwable::getCause)) {
            if (cause.get() instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState() + ", code " + sql.getErrorCode();
            }
        }
        return "unknown";
    }

    private static UserError cannotOpen(String url, SQLException e) {
        return new UserError(
                "The database of reviews cannot be opened: SQL state " + sqlState(e),
                withoutParameters(url),
                url.startsWith(SQLITE)
                        ? "name a file that is an SQLite database, or one that is not there yet"
                        : "check host, database, user and password, and whether it is running",
                e);
    }

    /** The address without what follows the question mark, where passwords are. */
    private static String withoutParameters(String url) {
        int question = url.indexOf('?');
        return question < 0 ? url : url.substring(0, question);
    }

    @Override
    public synchronized void close() {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            throw failed(e);
        }
    }
}
