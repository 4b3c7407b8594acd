package org.plant4j.cli.serve;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommandGroup;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.review.ReviewCheck;
import org.plant4j.review.ReviewStore;
import org.plant4j.review.database.Database;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant reviews}: maintains the database of reviews. */
@Command(
        name = "reviews",
        description = "Check the reviews of the server.",
        subcommands = ReviewsCommand.Check.class,
        footer = {"", "Example:", "  plant reviews check"})
public final class ReviewsCommand extends CommandGroup {

    /** {@code plant reviews check}. */
    @Command(
            name = "check",
            description = "Check that no stored review was changed, deleted or damaged. Exit code 2 if one was.")
    public static final class Check implements Callable<Integer> {

        @Mixin
        private final CommonOptions common = new CommonOptions();

        @Mixin
        private final JsonOption json = new JsonOption();

        @Mixin
        private final ReviewsOption reviews = new ReviewsOption();

        @Option(
                names = "--contains",
                paramLabel = "HASH",
                description =
                        "Also check that the review with this hash, from a receipt or an earlier check, is stored.")
        private Optional<String> contains = Optional.empty();

        @Override
        public Integer call() {
            String url = reviews.url(Path.of(RunArgument.DEFAULT_RUNS).toAbsolutePath());
            Database.requireExisting(url);
            ReviewCheck check;
            boolean found;
            try (ReviewStore store = ReviewStore.open(url, true)) {
                check = store.check();
                found = contains.isEmpty() || store.containsHash(contains.get());
            }
            if (json.enabled()) {
                common.out().println(JsonOption.pretty(check));
            } else {
                common.out()
                        .println(check.reviews() + " reviews, "
                                + check.problems().size() + " problems");
                if (check.unchained() > 0) {
                    common.out().println(check.unchained() + " of them without a hash, stored by version 0.1");
                }
                check.head().ifPresent(head -> common.out().println("hash of the last review: " + head));
            }
            if (!check.passed()) {
                ReviewCheck.Problem first = check.problems().get(0);
                throw new UserError(
                        check.problems().size() + " reviews were changed or damaged after they had been stored",
                        "row " + first.number() + ", review " + first.id() + ": " + first.what(),
                        "compare with a backup; --json lists all rows");
            }
            if (!found) {
                throw new UserError(
                        "No review has this hash",
                        contains.orElseThrow(),
                        "compare with a backup: reviews are missing");
            }
            return CommandLine.ExitCode.OK;
        }
    }
}
