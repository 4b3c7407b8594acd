package org.plant4j.cli.serve;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.plant4j.UserError;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.review.access.Role;
import org.plant4j.server.login.OidcSettings;
import picocli.CommandLine.Option;

/** {@code --oidc-…}: single sign-on at an OpenID Connect provider. */
final class OidcOptions {

    private static final String SECRET = "PLANT4J_OIDC_SECRET";
    private static final int MAX_IDLE_MINUTES = 1440;
    private static final int MAX_LIFETIME_HOURS = 168;

    @Option(
            names = "--oidc-issuer",
            paramLabel = "URL",
            description = "Issuer of an OpenID Connect provider at which users sign in; needs --public-url.")
    private Optional<URI> issuer = Optional.empty();

    @Option(names = "--oidc-client-id", paramLabel = "ID", description = "Identifier of this server at the provider.")
    private Optional<String> clientId = Optional.empty();

    @Option(
            names = "--oidc-secret-file",
            paramLabel = "FILE",
            description =
                    "File with the client secret (default: the environment variable PLANT4J_OIDC_SECRET, if set).")
    private Optional<Path> secretFile = Optional.empty();

    @Option(
            names = "--oidc-scope",
            paramLabel = "SCOPE",
            defaultValue = "profile",
            description = "Scope to request besides openid; may be repeated (default: ${DEFAULT-VALUE}).")
    private List<String> scopes = List.of();

    @Option(
            names = "--oidc-roles-claim",
            paramLabel = "CLAIM",
            defaultValue = "roles",
            description =
                    "Claim of the ID token with roles or groups, such as realm_access.roles (default: ${DEFAULT-VALUE}).")
    private String rolesClaim = "roles";

    @Option(
            names = "--oidc-role",
            paramLabel = "VALUE=ROLE",
            description = "Value of the claim that gives a role, such as coding-leads=admin; may be repeated"
                    + " (default: the names of the roles).")
    private Map<String, Role> roles = new LinkedHashMap<>();

    @Option(
            names = "--session-idle",
            paramLabel = "MINUTES",
            defaultValue = "30",
            description = "Minutes without a request after which users must sign in again (default: ${DEFAULT-VALUE}).")
    private int idleMinutes;

    @Option(
            names = "--session-lifetime",
            paramLabel = "HOURS",
            defaultValue = "10",
            description = "Hours after which users must sign in again in any case (default: ${DEFAULT-VALUE}).")
    private int lifetimeHours;

    /** The settings, if there is a provider; {@code publicUrl}: the address to which it redirects browsers. */
    Optional<OidcSettings> settings(Optional<URI> publicUrl) {
        if (issuer.isEmpty()) {
            if (clientId.isPresent()) {
                throw new UserError("The provider is missing", "--oidc-client-id", "name it with --oidc-issuer");
            }
            return Optional.empty();
        }
        String client = clientId.orElseThrow(() -> new UserError(
                "The client is missing", "--oidc-issuer", "name this server's client with --oidc-client-id"));
        if (publicUrl.isEmpty()) {
            throw new UserError(
                    "The address that browsers use is missing",
                    "--oidc-issuer",
                    "name it with --public-url: the provider redirects to it");
        }
        OptionCheck.between(1, MAX_IDLE_MINUTES, "--session-idle", idleMinutes);
        OptionCheck.between(1, MAX_LIFETIME_HOURS, "--session-lifetime", lifetimeHours);
        return Optional.of(new OidcSettings(
                issuer.get(),
                client,
                secretFile.map(OidcOptions::read).or(() -> Optional.ofNullable(System.getenv(SECRET))),
                scopes,
                new OidcSettings.Roles(rolesClaim, roles.isEmpty() ? rolesByName() : roles),
                new OidcSettings.SessionLimits(Duration.ofMinutes(idleMinutes), Duration.ofHours(lifetimeHours))));
    }

    private static Map<String, Role> rolesByName() {
        Map<String, Role> byName = new LinkedHashMap<>();
        for (Role role : Role.values()) {
            byName.put(role.name().toLowerCase(Locale.ROOT), role);
        }
        return byName;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UserError("The client secret cannot be read", file.toString(), "name a readable text file", e);
        }
    }
}
