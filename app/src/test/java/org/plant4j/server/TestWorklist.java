package org.plant4j.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.plant4j.review.database.Database;
import org.plant4j.review.worklist.SecondReviewRules;
import org.plant4j.review.worklist.Worklist;

/** Empty worklists in temporary databases. */
final class TestWorklist {

    private TestWorklist() {}

    static Database open() {
        try {
            Path directory = Files.createTempDirectory("worklist");
            directory.toFile().deleteOnExit();
            return Database.open(Database.SQLITE + directory.resolve("reviews.db"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Worklist of(Database database, boolean keepText) {
        return new Worklist(database, keepText, SecondReviewRules.NONE, 20_000, Clock.systemUTC());
    }
}
