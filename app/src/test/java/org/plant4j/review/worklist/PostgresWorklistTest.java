package org.plant4j.review.worklist;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.plant4j.review.Postgres;

class PostgresWorklistTest extends WorklistContract {

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
        return postgres.fresh("worklist" + NUMBER.incrementAndGet());
    }
}
