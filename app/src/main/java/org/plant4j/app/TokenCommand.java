package org.plant4j.app;

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
import org.plant4j.Nearest;
import org.plant4j.UserError;
import org.plant4j.app.desk.Secret;
import org.plant4j.app.review.Role;
import org.plant4j.app.review.Token;
import org.plant4j.app.review.TokenStore;
import org.plant4j.eval.Table;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant token}: who may use the desk. */
@Command(
        name = "token",
        description = "Make, list and revoke the tokens by which users of the desk are known.",
        subcommands = {TokenCommand.Create.class, TokenCommand.Listing.class, TokenCommand.Revoke.class},
        footer = {"", "Examples:", "  plant token create maria --role coder", "  plant token revoke maria"})
final class TokenCommand extends CommandGroup {

    private static TokenStore open(ReviewsOption reviews) {
        return TokenStore.open(reviews.url(Path.of(RunArgument.DEFAULT_RUNS).toAbsolutePath()));
    }

    /** {@code plant token create}. */
    @Command(name = "create", description = "Make a token. It is shown once; only its hash is kept.")
    static final class Create implements Callable<Integer> {

        private static final int LONGEST_NAME = 100;

        @Mixin
        private final CommonOptions common = new CommonOptions();

        @Mixin
        private final ReviewsOption reviews = new ReviewsOption();

        @Parameters(paramLabel = "NAME", description = "Whose it is; reviews are signed with it.")
        private String name;

        @Option(
                names = "--role",
                paramLabel = "ROLE",
                defaultValue = "coder",
                description = "coder, or admin who may also export reviews (default: ${DEFAULT-VALUE}).")
        private Role role = Role.CODER;

        @Override
        public Integer call() {
            if (name.isBlank() || name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
                throw new UserError("This is not a name", name.strip(), "use a person's name or account");
            }
            String secret = Secret.create();
            Instant now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS);
            try (TokenStore tokens = open(reviews)) {
                tokens.add(new Token(name, role, Secret.hash(secret), now, Optional.empty()));
            }
            common.out().println(secret);
            common.say("Keep it safe: it is not shown again.");
            return CommandLine.ExitCode.OK;
        }
    }

    /** {@code plant token list}. */
    @Command(name = "list", description = "List the tokens, revoked ones too.")
    static final class Listing implements Callable<Integer> {

        @Mixin
        private final CommonOptions common = new CommonOptions();

        @Mixin
        private final JsonOption json = new JsonOption();

        @Mixin
        private final ReviewsOption reviews = new ReviewsOption();

        @Override
        public Integer call() {
            List<Token> all;
            try (TokenStore tokens = open(reviews)) {
                all = tokens.list();
            }
            if (json.wanted()) {
                common.out()
                        .println(JsonOption.text(all.stream().map(Listing::view).toList()));
                return CommandLine.ExitCode.OK;
            }
            if (all.isEmpty()) {
                common.say("There are no tokens yet: plant token create NAME");
                return CommandLine.ExitCode.OK;
            }
            Table table = Table.of(
                    Table.Column.text("name"),
                    Table.Column.text("role"),
                    Table.Column.text("created"),
                    Table.Column.text("revoked"));
            for (Token token : all) {
                table = table.row(view(token).values().toArray());
            }
            common.out().print(table.toText());
            return CommandLine.ExitCode.OK;
        }

        private static Map<String, String> view(Token token) {
            Map<String, String> view = new LinkedHashMap<>();
            view.put("name", token.name());
            view.put("role", token.role().name().toLowerCase(Locale.ROOT));
            view.put("created", token.created().toString());
            view.put("revoked", token.revoked().map(Instant::toString).orElse(""));
            return view;
        }
    }

    /** {@code plant token revoke}. */
    @Command(name = "revoke", description = "End a token; a running server knows within seconds.")
    static final class Revoke implements Callable<Integer> {

        @Mixin
        private final CommonOptions common = new CommonOptions();

        @Mixin
        private final ReviewsOption reviews = new ReviewsOption();

        @Parameters(paramLabel = "NAME", description = "Whose it is.")
        private String name;

        @Override
        public Integer call() {
            try (TokenStore tokens = open(reviews)) {
                if (!tokens.revoke(name, Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS))) {
                    List<String> names = tokens.list().stream()
                            .filter(token -> token.revoked().isEmpty())
                            .map(Token::name)
                            .toList();
                    throw new UserError("There is no such token to revoke", name, Nearest.remedy(name, names));
                }
            }
            common.say("Revoked: " + name);
            return CommandLine.ExitCode.OK;
        }
    }
}
