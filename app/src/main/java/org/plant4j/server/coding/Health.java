package org.plant4j.server.coding;

import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.plant4j.review.database.DatabaseException;

/** The health of the server, its audit log and its review database. The database is checked at most once per second. */
public final class Health {

    public static final String OK = "ok";

    /** The server starts until its model is loaded. */
    public enum Stage {
        STARTING,
        READY,
        STOPPING
    }

    private static final long INTERVAL_NANOSECONDS = 1_000_000_000L;

    private final Supplier<Stage> stage;
    private final BooleanSupplier audited;
    private final Supplier<Optional<DatabaseException.Kind>> databaseCheck;
    private String database = OK;
    private boolean checked;
    private long checkedAt;

    public Health(
            Supplier<Stage> stage, BooleanSupplier audited, Supplier<Optional<DatabaseException.Kind>> databaseCheck) {
        this.stage = stage;
        this.audited = audited;
        this.databaseCheck = databaseCheck;
    }

    /**
     * {@code ok}, {@code starting}, {@code stopping}, {@code audit log incomplete}, or what is wrong with the database, such
     * as {@code database full}.
     */
    public String status() {
        return switch (stage.get()) {
            case STARTING -> "starting";
            case STOPPING -> "stopping";
            case READY -> audited.getAsBoolean() ? databaseStatus() : "audit log incomplete";
        };
    }

    private synchronized String databaseStatus() {
        long now = System.nanoTime();
        if (!checked || now - checkedAt > INTERVAL_NANOSECONDS) {
            database = databaseCheck
                    .get()
                    .map(kind ->
                            "database " + kind.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .orElse(OK);
            checked = true;
            checkedAt = System.nanoTime();
        }
        return database;
    }
}
