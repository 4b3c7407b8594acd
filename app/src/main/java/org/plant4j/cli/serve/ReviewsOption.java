package org.plant4j.cli.serve;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.plant4j.UserError;
import picocli.CommandLine.Option;

/** {@code --reviews}: the database with reviews and access tokens. */
final class ReviewsOption {

    private static final String FILE = "reviews.db";
    private static final String PASSWORD = "PLANT4J_REVIEWS_PASSWORD";
    private static final String JDBC = "jdbc:";
    private static final String SQLITE = "jdbc:sqlite:";

    @Option(
            names = "--reviews",
            paramLabel = "URL",
            description =
                    "Database with reviews and tokens: a file or a JDBC URL (default: reviews.db next to the runs,"
                            + " such as runs/reviews.db).")
    private Optional<String> url = Optional.empty();

    @Option(
            names = "--reviews-password-file",
            paramLabel = "FILE",
            description = "File with the password of the database (default: the environment variable"
                    + " PLANT4J_REVIEWS_PASSWORD, if set).")
    private Optional<Path> passwordFile = Optional.empty();

    /** The JDBC URL; by default of a file in this directory. */
    String url(Path directory) {
        if (url.isPresent()) {
            return url.get().startsWith(JDBC) ? withPassword(url.get()) : SQLITE + url.get();
        }
        if (!Files.isDirectory(directory)) {
            throw new UserError(
                    "The directory for reviews.db does not exist",
                    directory.toString(),
                    "change to the directory that contains runs/, or name a database with --reviews");
        }
        return SQLITE + directory.resolve(FILE);
    }

    /** The directory of the database, if it is a file that was named. */
    Optional<Path> fileDirectory() {
        return url.filter(named -> !named.startsWith(JDBC) || named.startsWith(SQLITE))
                .map(named -> named.startsWith(SQLITE) ? named.substring(SQLITE.length()) : named)
                .flatMap(named ->
                        Optional.ofNullable(Path.of(named).toAbsolutePath().getParent()));
    }

    /** Adds the password, so that it appears neither on the command line nor in the list of processes. */
    private String withPassword(String base) {
        if (base.startsWith(SQLITE)) {
            return base;
        }
        return passwordFile
                .map(ReviewsOption::readPassword)
                .or(() -> Optional.ofNullable(System.getenv(PASSWORD)))
                .map(password -> base + (base.contains("?") ? "&" : "?") + "password="
                        + URLEncoder.encode(password, StandardCharsets.UTF_8))
                .orElse(base);
    }

    private static String readPassword(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UserError("The password cannot be read", file.toString(), "name a readable text file", e);
        }
    }
}
