package org.plant4j.cli.serve;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.plant4j.review.database.Database;
import org.plant4j.review.worklist.SecondReviewRules;
import org.plant4j.review.worklist.Worklist;
import org.plant4j.server.worklist.Inbox;
import picocli.CommandLine.Option;

/** Options of the worklist. */
final class WorklistOptions {

    @Option(
            names = "--inbox",
            paramLabel = "DIR",
            description = "Directory whose .txt and .json files are added to the worklist.")
    private Optional<Path> inbox = Optional.empty();

    @Option(
            names = "--second-review",
            paramLabel = "RULE",
            split = ",",
            description = "What is reviewed a second time: a percentage of the encounters such as 10, out-of-domain,"
                    + " overridden-edits, code:CODE; several rules are separated by commas (default: nothing).")
    private List<String> secondReview = List.of();

    Worklist open(Database database, boolean keepText, int maxLength) {
        return new Worklist(database, keepText, SecondReviewRules.parse(secondReview), maxLength, Clock.systemUTC());
    }

    /** Watches the inbox, if there is one. */
    Watch watch(Worklist worklist, int maxLength) {
        Optional<Inbox> watched = inbox.map(folder -> Inbox.watch(folder, worklist, maxLength));
        return () -> watched.ifPresent(Inbox::close);
    }

    /** Ends when it is closed. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
