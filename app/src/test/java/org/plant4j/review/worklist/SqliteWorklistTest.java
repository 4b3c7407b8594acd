package org.plant4j.review.worklist;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.review.database.Database;

class SqliteWorklistTest extends WorklistContract {

    @TempDir
    Path directory;

    @Override
    String fresh() {
        return Database.SQLITE + directory.resolve("reviews.db");
    }
}
