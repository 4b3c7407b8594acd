package org.plant4j.cli.serve;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.plant4j.UserError;
import org.plant4j.server.access.AuditLog;
import picocli.CommandLine.Option;

/** {@code --audit-log}: the file that records who did what. */
final class AuditOption {

    private static final String FILE = "audit.jsonl";
    private static final String THIS_MACHINE = "local";
    private static final int DONE = 200;

    @Option(
            names = "--audit-log",
            paramLabel = "FILE",
            description = "File to which who did what is appended (default: audit.jsonl next to the review database, or"
                    + " next to the runs if that is not a file).")
    private Optional<Path> file = Optional.empty();

    /** The file; by default next to the database, or in this directory. */
    Path file(ReviewsOption reviews, Path directory) {
        Path found =
                file.orElseGet(() -> reviews.fileDirectory().orElse(directory).resolve(FILE));
        Path parent = found.toAbsolutePath().getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw new UserError(
                    "The directory of the audit log does not exist",
                    found.toString(),
                    "name a file in an existing directory with --audit-log");
        }
        return found;
    }

    /** Opens the log. A command does so before it changes anything, so that no change is made that cannot be recorded. */
    AuditLog open(ReviewsOption reviews, Path directory) {
        return new AuditLog(file(reviews, directory), Clock.systemUTC());
    }

    /** Records what the user of this machine has done with a command. */
    static void record(AuditLog log, String action) {
        log.add(System.getProperty("user.name", ""), THIS_MACHINE, action, DONE, "");
    }
}
