package org.plant4j.cli.serve;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommandGroup;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.report.ReportTable;
import org.plant4j.review.access.AccessToken;
import org.plant4j.review.access.AccessTokenStore;
import org.plant4j.review.access.Role;
import org.plant4j.review.access.TokenSecret;
import org.plant4j.server.access.AuditLog;
import org.plant4j.support.DidYouMean;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant token}: manages the access tokens of the server. */
@Command(
        name = "token",
        description = "Create, rotate, list and revoke access tokens for the server.",
        subcommands = {
            TokenCommand.Create.class,
            TokenCommand.Rotate.class,
            TokenCommand.ListTokens.class,
            TokenCommand.Revoke.class
        },
        footer = {
            "",
            "Examples:",
            "  plant token create maria --role coder --days 90",
            "  plant token rotate maria --days 90",
            "  plant token revoke maria"
        })
public final class TokenCommand extends CommandGroup {

    private static final int MAX_DAYS = 3650;
    private static final String NOT_SHOWN_AGAIN = "Keep this token safe: it is not shown again.";

    private static AccessTokenStore open(ReviewsOption reviews) {
        return AccessTokenStore.open(reviews.url(runs()));
    }

    private static Path runs() {
        return Path.of(RunArgument.DEFAULT_RUNS).toAbsolutePath();
    }

    private static Instant now() {
        return Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS);
    }

    private static UserError noSuchToken(String name, AccessTokenStore tokens) {
        List<String> names = tokens.list().stream()
                .filter(token -> token.revoked().isEmpty())
                .map(AccessToken::name)
                .toList();
        return new UserError("No such token", name, DidYouMean.remedy(name, names));
    }

    /** {@code --days}: how long a token is valid. */
    static final class Expiry {

        @Option(
                names = "--days",
                paramLabel = "N",
                description = "Days until the token expires (default: it does not expire).")
        private Optional<Integer> days = Optional.empty();

        Optional<Instant> after(Instant now) {
            days.ifPresent(count -> OptionCheck.between(1, MAX_DAYS, "--days", count));
            return days.map(count -> now.plus(count, ChronoUnit.DAYS));
        }
    }

    /** {@code plant token create}. */
    @Command(
            name = "create",
            aliases = "add",
            description = "Create a token. It is shown once; only its hash is stored.")
    public static final class Create implements Callable<Integer> {

        private static final int MAX_NAME = 100;

        @Mixin
        private final CommonOptions common = new CommonOptions();

        @Mixin
        private final ReviewsOption reviews = new ReviewsOption();

        @Mixin
        private final AuditOption audit = new AuditOption();

        @Parameters(paramLabel = "NAME", description = "Name of the user; reviews are signed with it.")
        private String name;

        @Option(
                names = "--role",
                paramLabel = "ROLE",
                defaultValue = "coder",
                description =
                        "Role: coder, reviewer (may also do second reviews) or admin (may also export reviews) (default: ${DEFAULT-VALUE}).")
        private Role role = Role.CODER;

        @Mixin
        private final Expiry expiry = new Expiry();

        @Override
        public Integer call() {
            if (name.isBlank() || name.length() > MAX_NAME || name.chars().anyMatch(Character::isISOControl)) {
                throw new UserError("Not a valid name", name.strip(), "use the name or account of a person");
            }
            String secret = TokenSecret.generate();
            Instant now = now();
            Optional<Instant> expires = expiry.after(now);
            try (AccessTokenStore tokens = open(reviews);
                    AuditLog log = audit.open(reviews, runs())) {
                tokens.add(new AccessToken(name, role, TokenSecret.hash(secret), now, expires, Optional.empty()));
                AuditOption.record(log, "token create " + name);
            }
            common.out().println(secret);
            common.info(NOT_SHOWN_AGAIN);
            return CommandLine.ExitCode.OK;
        }
    }

    /** {@code plant token rotate}. */
    @Command(name = "rotate", description = "Replace the token of a user. The old one stops working within seconds.")
    public static final class Rotate implements Callable<Integer> {

        @Mixin
        private final CommonOptions common = new CommonOptions();

        @Mixin
        private final ReviewsOption reviews = new ReviewsOption();

        @Mixin
        private final AuditOption audit = new AuditOption();

        @Mixin
        private final Expiry expiry = new Expiry();

        @Parameters(paramLabel = "NAME", description = "Name of the user.")
        private String name;

        @Override
        public Integer call() {
            String secret = TokenSecret.generate();
            Instant now = now();
            Optional<Instant> expires = expiry.after(now);
            try (AccessTokenStore tokens = open(reviews);
                    AuditLog log = audit.open(reviews, runs())) {
                if (!tokens.rotate(name, TokenSecret.hash(secret), now, expires)) {
                    throw noSuchToken(name, tokens);
                }
                AuditOption.record(log, "token rotate " + name);
            }
            common.out().println(secret);
            common.info(NOT_SHOWN_AGAIN);
            return CommandLine.ExitCode.OK;
        }
    }

    /** {@code plant token list}. */
    @Command(name = "list", description = "List all tokens, including revoked ones.")
    public static final class ListTokens implements Callable<Integer> {

        @Mixin
        private final CommonOptions common = new CommonOptions();

        @Mixin
        private final JsonOption json = new JsonOption();

        @Mixin
        private final ReviewsOption reviews = new ReviewsOption();

        @Override
        public Integer call() {
            List<AccessToken> all;
            try (AccessTokenStore tokens = open(reviews)) {
                all = tokens.list();
            }
            if (json.enabled()) {
                common.out()
                        .println(JsonOption.pretty(
                                all.stream().map(ListTokens::view).toList()));
                return CommandLine.ExitCode.OK;
            }
            if (all.isEmpty()) {
                common.info("No tokens yet. Create one with: plant token create NAME");
                return CommandLine.ExitCode.OK;
            }
            ReportTable table = ReportTable.of(
                    ReportTable.Column.text("name"),
                    ReportTable.Column.text("role"),
                    ReportTable.Column.text("created"),
                    ReportTable.Column.text("expires"),
                    ReportTable.Column.text("revoked"));
            for (AccessToken token : all) {
                table = table.row(view(token).values().toArray());
            }
            common.out().print(table.toText());
            return CommandLine.ExitCode.OK;
        }

        private static Map<String, String> view(AccessToken token) {
            Map<String, String> view = new LinkedHashMap<>();
            view.put("name", token.name());
            view.put("role", token.role().name().toLowerCase(Locale.ROOT));
            view.put("created", token.created().toString());
            view.put("expires", token.expires().map(Instant::toString).orElse(""));
            view.put("revoked", token.revoked().map(Instant::toString).orElse(""));
            return view;
        }
    }

    /** {@code plant token revoke}. */
    @Command(name = "revoke", description = "Revoke a token; takes effect within seconds.")
    public static final class Revoke implements Callable<Integer> {

        @Mixin
        private final CommonOptions common = new CommonOptions();

        @Mixin
        private final ReviewsOption reviews = new ReviewsOption();

        @Mixin
        private final AuditOption audit = new AuditOption();

        @Parameters(paramLabel = "NAME", description = "Name of the user.")
        private String name;

        @Override
        public Integer call() {
            try (AccessTokenStore tokens = open(reviews);
                    AuditLog log = audit.open(reviews, runs())) {
                if (!tokens.revoke(name, now())) {
                    throw noSuchToken(name, tokens);
                }
                AuditOption.record(log, "token revoke " + name);
            }
            common.info("Revoked: " + name);
            return CommandLine.ExitCode.OK;
        }
    }
}
