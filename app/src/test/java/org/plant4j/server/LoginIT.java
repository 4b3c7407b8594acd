package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.access.InMemoryUserStore;
import org.plant4j.review.access.Role;
import org.plant4j.server.RunningServer.Reply;
import org.plant4j.server.login.OidcLogin;
import org.plant4j.server.login.OidcSettings;
import org.plant4j.server.login.TestProvider;

/** Single sign-on with a provider that can be told to misbehave, and the sessions it starts. */
class LoginIT {

    private static final URI PUBLIC = URI.create("https://coding.example.org");
    private static final String[] OWN_ORIGIN = {"Origin", PUBLIC.toString()};
    private static final OidcSettings.SessionLimits LIMITS =
            new OidcSettings.SessionLimits(Duration.ofMinutes(30), Duration.ofHours(10));

    @TempDir
    static Path directory;

    private static final AtomicLong now = new AtomicLong();
    private static TestProvider provider;
    private static RunningServer server;
    private static String token;

    @BeforeAll
    static void start() {
        provider = new TestProvider();
        InMemoryAccessTokenStore tokens = new InMemoryAccessTokenStore();
        token = "Bearer " + tokens.create("machine", Role.CODER);
        OidcSettings settings = new OidcSettings(
                provider.issuer(),
                TestProvider.CLIENT,
                Optional.of(TestProvider.SECRET),
                List.of("profile"),
                new OidcSettings.Roles("roles", Map.of("coder", Role.CODER, "admin", Role.ADMIN)),
                LIMITS);
        Set<String> proxies = Set.of("127.0.0.1");
        OidcLogin login = new OidcLogin(settings, PUBLIC, proxies, new InMemoryUserStore(Set.of("machine")), now::get);
        ServerSettings plain = RunningServer.SETTINGS;
        server = new RunningServer(
                new ServerSettings(
                        plain.host(),
                        0,
                        true,
                        plain.limits(),
                        new ServerSettings.Proxies(proxies, Optional.of(PUBLIC)),
                        Optional.of(directory.resolve("audit.jsonl")),
                        List.of()),
                tokens,
                login);
    }

    @AfterAll
    static void stop() {
        server.close();
        provider.close();
    }

    @BeforeEach
    void behave() {
        provider.behave();
    }

    /** The name and value of a cookie that a response sets. */
    private static String cookie(Reply reply, String name) {
        return reply.whole().headers().allValues("Set-Cookie").stream()
                .filter(each -> each.startsWith(name + "="))
                .map(each -> each.split(";", 2)[0])
                .findFirst()
                .orElse("");
    }

    private static String sessionCookie(Reply reply) {
        return cookie(reply, "__Host-plant4j");
    }

    private static Reply callback(Reply begun, String query, String... headers) {
        return server.get("/login/callback?" + query, withCookie(cookie(begun, "__Host-plant4j-login"), headers));
    }

    private static String[] withCookie(String cookie, String... headers) {
        String[] all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = "Cookie";
        all[headers.length + 1] = cookie;
        return all;
    }

    private static Reply signIn() {
        Reply begun = server.get("/login");
        assertThat(begun.status()).as(begun.body()).isEqualTo(302);
        return callback(begun, provider.signIn(begun.header("Location")));
    }

    private static void assertRefused(Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(403);
        assertThat(sessionCookie(reply)).isEmpty();
        assertThat(reply.header("Content-Type")).startsWith("text/html");
    }

    @Test
    void aUserSignsInActsAndSignsOut() throws Exception {
        assertThat(server.get("/api/login").body()).isEqualTo("{\"provider\":true}");
        Reply begun = server.get("/login?return=/model");
        String location = begun.header("Location");
        assertThat(location).startsWith(provider.issuer() + "/authorize?");
        assertThat(TestProvider.query(location))
                .containsEntry("response_type", List.of("code"))
                .containsEntry("code_challenge_method", List.of("S256"))
                .containsEntry("redirect_uri", List.of("https://coding.example.org/login/callback"));
        Reply signedIn = callback(begun, provider.signIn(location));
        assertThat(signedIn.status()).as(signedIn.body()).isEqualTo(302);
        assertThat(signedIn.header("Location")).isEqualTo("https://coding.example.org/model");
        assertThat(signedIn.whole().headers().allValues("Set-Cookie"))
                .anyMatch(each -> each.startsWith("__Host-plant4j=")
                        && each.endsWith("; Path=/; Secure; HttpOnly; SameSite=Strict"));
        String session = sessionCookie(signedIn);
        assertThat(server.get("/api/me", "Cookie", session).body())
                .isEqualTo("{\"name\":\"maria\",\"role\":\"coder\",\"session\":true}");
        assertThat(server.post("/api/code", "{\"text\": \"gout\"}", withCookie(session, OWN_ORIGIN))
                        .status())
                .isEqualTo(200);
        assertThat(server.get("/api/reviews/export", "Cookie", session).status())
                .isEqualTo(403);
        Reply signedOut = server.post("/logout", "", withCookie(session, OWN_ORIGIN));
        assertThat(signedOut.json().get("next").asText())
                .startsWith(provider.issuer() + "/logout?")
                .contains("id_token_hint=");
        assertThat(server.get("/api/me", "Cookie", session).status()).isEqualTo(401);
        assertThat(Files.readString(directory.resolve("audit.jsonl")))
                .contains(
                        "\"user\":\"maria\",\"address\":\"127.0.0.1\",\"action\":\"GET /login/callback\",\"status\":302")
                .contains("\"user\":\"maria\",\"address\":\"127.0.0.1\",\"action\":\"POST /logout\",\"status\":200");
    }

    @Test
    void tokensRemainForMachines() {
        assertThat(server.get("/api/me", "Authorization", token).body())
                .isEqualTo("{\"name\":\"machine\",\"role\":\"coder\",\"session\":false}");
        assertThat(server.get("/api/me").status()).isEqualTo(401);
    }

    @Test
    void refusesAWrongState() throws Exception {
        Reply begun = server.get("/login");
        String query = provider.signIn(begun.header("Location"));
        assertRefused(callback(begun, query.replaceFirst("state=.*", "state=forged")));
        assertRefused(callback(begun, query.replaceFirst("&state=.*", "")));
        // A response that belongs to the sign-in of another browser: login CSRF.
        Reply other = server.get("/login");
        assertRefused(callback(other, query));
        assertRefused(server.get("/login/callback?" + query));
        assertThat(Files.readString(directory.resolve("audit.jsonl")))
                .contains("\"user\":\"\",\"address\":\"127.0.0.1\",\"action\":\"GET /login/callback\",\"status\":403");
    }

    @Test
    void refusesACodeThatIsReplayed() {
        Reply begun = server.get("/login");
        String query = provider.signIn(begun.header("Location"));
        assertThat(callback(begun, query).status()).isEqualTo(302);
        assertRefused(callback(begun, query));
        Reply next = server.get("/login");
        String state = TestProvider.parameter(next.header("Location"), "state");
        assertRefused(callback(next, query.replaceFirst("state=.*", "state=" + state)));
    }

    @Test
    void refusesACodeOfAnotherSignIn() {
        Reply victim = server.get("/login");
        String stolen = provider.signIn(victim.header("Location")).replaceFirst("&state=.*", "");
        Reply attacker = server.get("/login");
        String state = TestProvider.parameter(attacker.header("Location"), "state");
        assertRefused(callback(attacker, stolen + "&state=" + state)); // the PKCE verifier does not match
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonce", "iss", "aud", "exp", "iat", "sub"})
    void refusesAnIdTokenWithAWrongClaim(String claim) {
        provider.claims = claims -> switch (claim) {
            case "exp" -> claims.expirationTime(Date.from(Instant.now().minusSeconds(300)));
            case "iat" -> claims.issueTime(Date.from(Instant.now().plusSeconds(3600)));
            case "sub" -> claims.subject(null);
            default -> claims.claim(claim, "https://evil.example");
        };
        assertRefused(signIn());
    }

    @ParameterizedTest
    @EnumSource(names = "RSA", mode = EnumSource.Mode.EXCLUDE)
    void refusesAnIdTokenWithoutTheProvidersSignature(TestProvider.Signature signature) {
        provider.signature = signature;
        assertRefused(signIn());
    }

    @Test
    void aRotatedKeyIsLookedUp() {
        assertThat(signIn().status()).isEqualTo(302);
        provider.rotateKey();
        assertThat(signIn().status()).isEqualTo(302);
    }

    @Test
    void refusesUsersWithoutARoleAndNamesOfOthers() {
        provider.claims = claims -> claims.claim("roles", List.of("visitor"));
        assertRefused(signIn());
        provider.claims = claims -> claims.subject("subject-2"); // another person who is also called maria
        assertRefused(signIn());
        provider.claims = claims -> claims.subject("subject-3").claim("preferred_username", "machine");
        assertRefused(signIn());
        provider.claims =
                claims -> claims.claim("roles", List.of("coder", "admin")).claim("preferred_username", "renamed");
        assertThat(server.get("/api/me", "Cookie", sessionCookie(signIn())).body())
                .isEqualTo("{\"name\":\"maria\",\"role\":\"admin\",\"session\":true}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://evil.example", "//evil.example", "/\\evil.example", "@evil.example", "/%0d%0aX: y", ""})
    void returnsOnlyToItsOwnPages(String path) {
        Reply begun = server.get("/login?return=" + path.replace("\\", "%5C").replace(" ", "%20"));
        assertThat(callback(begun, provider.signIn(begun.header("Location"))).header("Location"))
                .isEqualTo("https://coding.example.org/");
    }

    @Test
    void aSessionIsNeverFixed() {
        Reply begun = server.get("/login");
        String planted = "__Host-plant4j=chosen-by-an-attacker";
        Reply signedIn = server.get(
                "/login/callback?" + provider.signIn(begun.header("Location")),
                "Cookie",
                cookie(begun, "__Host-plant4j-login") + "; " + planted);
        assertThat(sessionCookie(signedIn)).isNotEmpty().isNotEqualTo(planted);
        assertThat(server.get("/api/me", "Cookie", planted).status()).isEqualTo(401);
    }

    @Test
    void aNewSignInEndsTheOldSession() {
        String old = sessionCookie(signIn());
        Reply begun = server.get("/login");
        server.get(
                "/login/callback?" + provider.signIn(begun.header("Location")),
                "Cookie",
                cookie(begun, "__Host-plant4j-login") + "; " + old);
        assertThat(server.get("/api/me", "Cookie", old).status()).isEqualTo(401);
    }

    @Test
    void anotherSiteCannotActWithTheSession() {
        String session = sessionCookie(signIn());
        String body = "{\"text\": \"gout\"}";
        assertThat(server.post("/api/code", body, "Cookie", session).status()).isEqualTo(403);
        for (String origin : List.of("https://evil.example", "http://coding.example.org", "null")) {
            assertThat(server.post("/api/code", body, "Cookie", session, "Origin", origin)
                            .status())
                    .as(origin)
                    .isEqualTo(403);
        }
        assertThat(server.post("/logout", "", "Cookie", session).status()).isEqualTo(403);
        assertThat(server.get("/api/me", "Cookie", session).status()).isEqualTo(200);
    }

    @Test
    void aSessionThatWasSentUnencryptedEnds() {
        String session = sessionCookie(signIn());
        assertThat(server.get("/api/me", "Cookie", session, "X-Forwarded-Proto", "https")
                        .status())
                .isEqualTo(200);
        assertThat(server.get("/api/me", "Cookie", session, "X-Forwarded-Proto", "http")
                        .status())
                .isEqualTo(401);
        assertThat(server.get("/api/me", "Cookie", session).status()).isEqualTo(401);
    }

    @Test
    void aSessionEndsWhenIdleAndAfterItsLifetime() {
        String session = sessionCookie(signIn());
        now.addAndGet(LIMITS.idle().toNanos());
        assertThat(server.get("/api/me", "Cookie", session).status()).isEqualTo(200);
        now.addAndGet(LIMITS.idle().toNanos() + 1);
        assertThat(server.get("/api/me", "Cookie", session).status()).isEqualTo(401);

        String busy = sessionCookie(signIn());
        for (int i = 0; i < 20; i++) {
            now.addAndGet(LIMITS.idle().toNanos());
            assertThat(server.get("/api/me", "Cookie", busy).status()).isEqualTo(200);
        }
        now.addAndGet(1);
        assertThat(server.get("/api/me", "Cookie", busy).status()).isEqualTo(401);
    }

    @Test
    void aSignInThatTakesTooLongIsRefused() {
        Reply begun = server.get("/login");
        String query = provider.signIn(begun.header("Location"));
        now.addAndGet(Duration.ofMinutes(11).toNanos());
        assertRefused(callback(begun, query));
    }

    @Test
    void theProvidersErrorIsAPage() {
        Reply begun = server.get("/login");
        String state = TestProvider.parameter(begun.header("Location"), "state");
        assertRefused(callback(begun, "error=access_denied&state=" + state));
        Reply another = server.get("/login");
        String other = TestProvider.parameter(another.header("Location"), "state");
        assertRefused(callback(another, "code=x&iss=https%3A%2F%2Fevil.example&state=" + other));
    }

    @Test
    void encryptionIsRequiredFromNowOn() {
        assertThat(server.get("/").header("Strict-Transport-Security")).startsWith("max-age=");
    }

    @Test
    void withoutAProviderThereIsNoSignIn() {
        try (RunningServer plain = new RunningServer()) {
            assertThat(plain.get("/api/login").body()).isEqualTo("{\"provider\":false}");
            assertThat(plain.get("/login").status()).isEqualTo(404);
            assertThat(plain.get("/").header("Strict-Transport-Security")).isEmpty();
        }
    }
}
