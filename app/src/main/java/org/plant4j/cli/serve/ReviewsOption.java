package org.plant4j.cli.serve;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.plant4j.support.UserError;
import picocli.CommandLine.Option;

/** {@code --reviews}: the database of reviews and tokens. */
final class ReviewsOption {

    private static final String FILE = "reviews.db";
    private static final String JDBC = "jdbc:";
    private static final String SQLITE = "jdbc:sqlite:";

    @Option(
            names = "--reviews",
            paramLabel = "URL",
            description = "Database of reviews and tokens: jdbc:postgresql://…, jdbc:sqlite:FILE or a file "
                    + "(default: reviews.db in the folder of the runs).")
    private Optional<String> url = Optional.empty();

    /** The JDBC address; by default a file in this folder. */
    String url(Path folder) {
        if (url.isPresent()) {
            return url.get().startsWith(JDBC) ? url.get() : SQLITE + url.get();
        }
        if (!Files.isDirectory(folder)) {
            throw new UserError(
                    "There is no folder of runs to keep the reviews in",
                    folder.toString(),
                    "start where it is, or name the database with --reviews");
        }
        return SQLITE + folder.resolve(FILE);
    }
}
