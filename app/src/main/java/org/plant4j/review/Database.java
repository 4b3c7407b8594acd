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
 * A connection to SQLite or PostgreSQL, used by one thread at a time and reopened if it breaks. The load is about one
 * review per second at most, so a connection pool would only add failure modes.
 */
final class Database implements AutoCloseable {

    static final String SQLITE = "jdbc:sqlite:";
    static final String POSTGRESQL = "jdbc:postgresql:";

    private static final int VALIDATION_TIMEOUT_SECONDS = 5;

    /** A function of a connection. */
    @FunctionalInterface
    interface SqlFunction<T> {
        T apply(Connection connection) throws SQLException;
    }

    private final String url;
    private @Nullable Connection connection;

    private Database(String url) {
        this.url = url;
    }

    /** Opens the database and creates or migrates its tables. */
    static Database open(String url) {
        boolean sqlite = url.startsWith(SQLITE);
        if (!sqlite && !url.startsWith(POSTGRESQL)) {
            throw new UserError(
                    "Unsupported review database",
                    withoutParameters(url),
                    "use jdbc:sqlite:FILE or jdbc:postgresql://HOST/DATABASE?user=…&password=…");
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
                    .baselineOnMigrate(true) // a PostgreSQL schema may contain other tables
                    .baselineVersion("0")
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            database.close();
            throw new UserError(
                    "The review database cannot be migrated: SQL state " + sqlState(e),
                    withoutParameters(url),
                    "use the Plant4j version that created it or a newer one, or choose another database",
                    e);
        }
        return database;
    }

    /** Creates the file readable by its owner only, because it contains clinical documents. */
    private static void prepareFile(String name) {
        if (name.isBlank() || name.startsWith(":")) {
            throw new UserError("The database must be a file", SQLITE + name, "use jdbc:sqlite:FILE");
        }
        Path file = Path.of(name);
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
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
                    "The review database cannot be created", file.toString(), "choose a writable directory", e);
        }
    }

    private Connection connect() throws SQLException {
        Connection opened = DriverManager.getConnection(url);
        if (url.startsWith(SQLITE)) {
            // An acknowledged review must survive a power failure: sync the write-ahead log at every commit.
            for (String pragma : List.of("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 10000")) {
                try (Statement statement = opened.createStatement()) {
                    statement.execute("PRAGMA " + pragma);
                }
            }
        }
        return opened;
    }

    /** Runs a function in one transaction. When this returns, its writes are durable. */
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

    /** Reads on a separate connection, so that a long read does not block writers. */
    void onOwnConnection(SqlFunction<?> work) {
        try (Connection separate = connect()) {
            separate.setAutoCommit(false); // PostgreSQL honours the fetch size only within a transaction
            work.apply(separate);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private Connection current() throws SQLException {
        Connection current = connection;
        if (current == null
                || current.isClosed()
                || (!url.startsWith(SQLITE) && !current.isValid(VALIDATION_TIMEOUT_SECONDS))) {
            current = connect();
            connection = current;
        }
        return current;
    }

    private static void rollBack(Connection open) throws SQLException {
        try {
            open.rollback();
        } catch (SQLException e) {
            open.close(); // its state is unknown, so it is not reused
        }
    }

    /** Drops message and cause, because a database may quote the failed row with a document in it. */
    private static IllegalStateException failed(SQLException e) {
        return new IllegalStateException("review database failed: SQL state " + sqlState(e));
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
                "The review database cannot be opened: SQL state " + sqlState(e),
                withoutParameters(url),
                url.startsWith(SQLITE)
                        ? "name an SQLite database file, or a file that does not exist yet"
                        : "check that it is running, and its host, name, user and password",
                e);
    }

    /** The URL without its parameters, which may contain a password. */
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
