package org.plant4j.cli.serve;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.plant4j.support.UserError;
import picocli.CommandLine.Option;

/** {@code --reviews}: the database with reviews and access tokens. */
final class ReviewsOption {

    private static final String FILE = "reviews.db";
    private static final String JDBC = "jdbc:";
    private static final String SQLITE = "jdbc:sqlite:";

    @Option(
            names = "--reviews",
            paramLabel = "URL",
            description =
                    "Database with reviews and tokens: a file or a JDBC URL (default: reviews.db next to the runs,"
                            + " such as runs/reviews.db).")
    private Optional<String> url = Optional.empty();

    /** The JDBC URL; by default of a file in this directory. */
    String url(Path directory) {
        if (url.isPresent()) {
            return url.get().startsWith(JDBC) ? url.get() : SQLITE + url.get();
        }
        if (!Files.isDirectory(directory)) {
            throw new UserError(
                    "The directory for reviews.db does not exist",
                    directory.toString(),
                    "change to the directory that contains runs/, or name a database with --reviews");
        }
        return SQLITE + directory.resolve(FILE);
    }
}
