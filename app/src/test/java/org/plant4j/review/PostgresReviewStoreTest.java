package org.plant4j.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresReviewStoreTest extends ReviewStoreContract {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static Postgres postgres;

    @BeforeAll
    static void start() {
        postgres = Postgres.start();
    }

    @AfterAll
    static void stop() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
    }

    @Override
    String fresh() {
        return postgres.fresh("reviews" + NUMBER.incrementAndGet());
    }

    @Test
    void reopensABrokenConnection() throws SQLException {
        String url = fresh();
        try (ReviewStore store = ReviewStore.open(url, true)) {
            store.add(review("doc", "text"), "ana", "");
            try (Connection other = DriverManager.getConnection(url);
                    Statement statement = other.createStatement()) {
                statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
            }
            store.add(review("doc", "text"), "ana", "");
            assertThat(store.list(ReviewQuery.latest(9))).hasSize(2);
        }
    }

    @Test
    void leavesOtherTablesOfTheDatabaseUnchanged() throws SQLException {
        String url = fresh();
        try (Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            statement.execute("CREATE TABLE theirs (id INT)");
        }
        try (ReviewStore store = ReviewStore.open(url, true)) {
            store.add(review("doc", "text"), "ana", "");
            assertThat(store.list(ReviewQuery.latest(9))).hasSize(1);
        }
    }
}
