package org.plant4j.review.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.plant4j.UserError;

/** A database in SQLite or PostgreSQL, with one connection for writing and one for reading. */
public final class Database implements AutoCloseable {

    public static final String SQLITE = "jdbc:sqlite:";
    static final String POSTGRESQL = "jdbc:postgresql:";

    /** A write waits for other writers at most this long, and fails as busy. */
    static final int LOCK_TIMEOUT_SECONDS = 5;

    /** Number of the last script among the migrations in the resources of the package {@code review}. */
    static final String NEWEST_MIGRATION = "7";

    private static final String MIGRATIONS = "plant4j_migrations";

    /** A function of a connection. */
    @FunctionalInterface
    public interface SqlFunction<T> {
        T apply(Connection connection) throws SQLException;
    }

    private final String url;
    private final boolean sqlite;
    private final DatabaseConnection writer;
    private final DatabaseConnection reader;

    private Database(String url) {
        this.url = url;
        this.sqlite = url.startsWith(SQLITE);
        this.writer = new DatabaseConnection(() -> connect(true), !sqlite);
        this.reader = new DatabaseConnection(() -> connect(false), !sqlite);
    }

    /** Opens the database and creates or migrates its tables. */
    public static Database open(String url) {
        boolean sqlite = url.startsWith(SQLITE);
        if (!sqlite && !url.startsWith(POSTGRESQL)) {
            throw new UserError(
                    "Unsupported review database",
                    withoutParameters(url),
                    "use jdbc:sqlite:FILE or jdbc:postgresql://HOST/DATABASE?user=…");
        }
        if (sqlite) {
            SqliteLibrary.prepare();
            SqliteFile.prepare(withoutParameters(url).substring(SQLITE.length()));
        }
        Database database = new Database(url);
        boolean current;
        try (Connection connection = database.connect(true)) {
            current = isCurrent(connection);
        } catch (SQLException e) {
            throw database.cannotOpen(e);
        }
        if (!current) { // Flyway takes a fifth of a second to find out
            database.migrate();
        }
        return database;
    }

    /** Rejects an SQLite database that does not exist; opening it would create an empty one. */
    public static void requireExisting(String url) {
        if (url.startsWith(SQLITE)) {
            SqliteFile.requireExisting(withoutParameters(url).substring(SQLITE.length()));
        }
    }

    private void migrate() {
        try {
            Flyway.configure()
                    .dataSource(url, null, null)
                    .locations("classpath:org/plant4j/review/" + (sqlite ? "sqlite" : "postgresql"))
                    .table(MIGRATIONS)
                    .baselineOnMigrate(true) // a PostgreSQL schema may contain other tables
                    .baselineVersion("0")
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            throw new UserError(
                    "The review database cannot be migrated: SQL state " + DatabaseException.describeState(e),
                    withoutParameters(url),
                    "use the Plant4j version that created it or a newer one, or choose another database",
                    e);
        }
    }

    /** Whether the last migration was the newest of this version. */
    private static boolean isCurrent(Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet last = statement.executeQuery(
                        "SELECT version, success FROM " + MIGRATIONS + " ORDER BY installed_rank DESC LIMIT 1")) {
            return last.next() && NEWEST_MIGRATION.equals(last.getString(1)) && last.getBoolean(2);
        } catch (SQLException e) {
            return false; // no such table yet, or a fault that Flyway reports
        }
    }

    private Connection connect(boolean writes) throws SQLException {
        Properties properties = new Properties();
        if (sqlite && writes) {
            // Take the write lock at the start of a transaction: one that reads first could not be upgraded if another
            // process has written meanwhile.
            properties.setProperty("transaction_mode", "IMMEDIATE");
        } else if (!sqlite) {
            properties.setProperty("connectTimeout", "5");
            properties.setProperty("tcpKeepAlive", "true");
        }
        Connection opened = DriverManager.getConnection(url, properties);
        List<String> settings = sqlite
                ? List.of(
                        "PRAGMA journal_mode = WAL",
                        // An acknowledged review must survive a power failure: sync the log at every commit.
                        "PRAGMA synchronous = FULL",
                        // Overwrite the texts that are deleted after coding.
                        "PRAGMA secure_delete = ON",
                        "PRAGMA busy_timeout = " + LOCK_TIMEOUT_SECONDS * 1000)
                : List.of("SET lock_timeout = '" + LOCK_TIMEOUT_SECONDS + "s'");
        for (String setting : settings) {
            try (Statement statement = opened.createStatement()) {
                statement.execute(setting);
            } catch (SQLException e) {
                opened.close();
                throw e;
            }
        }
        return opened;
    }

    /**
     * Runs a function in one transaction. When this returns, its writes are durable. A write within a write belongs to
     * the same transaction.
     */
    public <T> T write(SqlFunction<T> work) {
        return writer.use(connection -> {
            if (!connection.getAutoCommit()) {
                return work.apply(connection);
            }
            begin(connection);
            try {
                T result = work.apply(connection);
                connection.setAutoCommit(true); // commits; commit() would at once begin another transaction in SQLite
                return result;
            } catch (SQLException | RuntimeException e) {
                rollBack(connection);
                throw e;
            } catch (Error e) {
                connection.close(); // its state is unknown, so it is not reused
                throw e;
            }
        });
    }

    /** A connection that cannot begin is not reused: it would run the next statements without a transaction. */
    private static void begin(Connection connection) throws SQLException {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Keeps other writers out until the transaction ends, so that rows are numbered in the order in which they are
     * committed. SQLite has taken its lock at the start of the transaction.
     */
    public void lockTable(Connection connection, String table) throws SQLException {
        if (!sqlite) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("LOCK TABLE " + table + " IN SHARE ROW EXCLUSIVE MODE");
            }
        }
    }

    /** Reads without waiting for writers. */
    public <T> T read(SqlFunction<T> work) {
        return reader.use(work);
    }

    /** Reads on a separate connection, so that a long read does not block others. */
    public <T> T readLong(SqlFunction<T> work) {
        try (Connection separate = connect(false)) {
            separate.setAutoCommit(false); // PostgreSQL honours the fetch size only within a transaction
            return work.apply(separate);
        } catch (SQLException e) {
            throw DatabaseException.of(e);
        }
    }

    private static void rollBack(Connection open) throws SQLException {
        try {
            open.rollback();
            open.setAutoCommit(true);
        } catch (SQLException e) {
            open.close(); // its state is unknown, so it is not reused
        }
    }

    private UserError cannotOpen(SQLException e) {
        return new UserError(
                "The review database cannot be opened: SQL state " + DatabaseException.describeState(e),
                withoutParameters(url),
                sqlite
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
    public void close() {
        writer.close();
        reader.close();
    }
}
