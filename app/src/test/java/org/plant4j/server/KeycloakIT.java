package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.access.InMemoryUserStore;
import org.plant4j.review.access.Role;
import org.plant4j.server.RunningServer.Reply;
import org.plant4j.server.login.Keycloak;
import org.plant4j.server.login.OidcLogin;
import org.plant4j.server.login.OidcSettings;

/** Single sign-on with a real provider: {@code mvn -Pkeycloak}, which unpacks Keycloak's distribution. */
@EnabledIfSystemProperty(named = "keycloak.home", matches = ".+")
class KeycloakIT {

    private static final Pattern FORM =
            Pattern.compile("<form[^>]*action=\"([^\"]*login-actions/authenticate[^\"]*)\"");

    @TempDir
    static Path directory;

    private static Keycloak keycloak;
    private static RunningServer server;
    private static URI publicUrl;

    @BeforeAll
    static void start() throws Exception {
        keycloak = new Keycloak(Path.of(System.getProperty("keycloak.home")), directory.resolve("keycloak.log"));
        int port = Keycloak.freePort();
        publicUrl = URI.create("http://localhost:" + port);
        OidcSettings settings = new OidcSettings(
                keycloak.issuer(),
                "plant4j",
                Optional.of("a-secret-of-the-client"),
                List.of("profile"),
                new OidcSettings.Roles("roles", Map.of("coder", Role.CODER, "coding-lead", Role.ADMIN)),
                new OidcSettings.SessionLimits(Duration.ofMinutes(30), Duration.ofHours(10)));
        ServerSettings plain = RunningServer.SETTINGS;
        server = new RunningServer(
                new ServerSettings(
                        plain.host(),
                        port,
                        true,
                        plain.limits(),
                        new ServerSettings.Proxies(Set.of(), Optional.of(publicUrl)),
                        Optional.empty(),
                        List.of()),
                new InMemoryAccessTokenStore(),
                new OidcLogin(settings, publicUrl, Set.of(), new InMemoryUserStore(Set.of()), System::nanoTime));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        if (keycloak != null) {
            keycloak.close();
        }
    }

    /** A browser, as far as Keycloak can tell; it does not follow redirects. */
    private static final class Browser {

        private final HttpClient client = HttpClient.newHttpClient();

        /** Sent unencrypted even if they are secure, as browsers do on this machine, but Java's client does not. */
        private final Map<String, String> cookies = new LinkedHashMap<>();

        HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
            if (!cookies.isEmpty()) {
                request.header(
                        "Cookie",
                        cookies.entrySet().stream()
                                .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                                .collect(Collectors.joining("; ")));
            }
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            for (String cookie : response.headers().allValues("Set-Cookie")) {
                String[] pair = cookie.split(";", 2)[0].split("=", 2);
                cookies.put(pair[0], pair[1]);
            }
            return response;
        }

        HttpResponse<String> get(String uri) throws IOException, InterruptedException {
            return send(HttpRequest.newBuilder(URI.create(uri)));
        }

        /** Fills in Keycloak's form; returns its answer. */
        HttpResponse<String> enter(HttpResponse<String> page, String user, String password)
                throws IOException, InterruptedException {
            Matcher form = FORM.matcher(page.body());
            assertThat(form.find()).as(page.body()).isTrue();
            return send(HttpRequest.newBuilder(URI.create(form.group(1).replace("&amp;", "&")))
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "username=" + user + "&password=" + URLEncoder.encode(password, StandardCharsets.UTF_8))));
        }
    }

    private static String cookie(Reply reply, String name) {
        return reply.whole().headers().allValues("Set-Cookie").stream()
                .map(each -> each.split(";", 2)[0])
                .filter(each -> each.startsWith(name + "="))
                .findFirst()
                .orElse("");
    }

    private static Reply complete(Reply begun, HttpResponse<String> redirect) {
        String location = redirect.headers().firstValue("Location").orElseThrow();
        assertThat(location).startsWith(publicUrl + "/login/callback?");
        return server.get(
                location.substring(publicUrl.toString().length()), "Cookie", cookie(begun, "__Host-plant4j-login"));
    }

    private static Reply signIn(Browser browser, String user) throws IOException, InterruptedException {
        Reply begun = server.get("/login");
        HttpResponse<String> page = browser.get(begun.header("Location"));
        return complete(begun, browser.enter(page, user, user + "-password"));
    }

    private static String me(Reply signedIn) {
        assertThat(signedIn.status()).as(signedIn.body()).isEqualTo(302);
        return server.get("/api/me", "Cookie", cookie(signedIn, "__Host-plant4j"))
                .body();
    }

    @Test
    void rolesComeFromTheProvider() throws Exception {
        assertThat(me(signIn(new Browser(), "maria")))
                .isEqualTo("{\"name\":\"maria\",\"role\":\"coder\",\"session\":true}");
        assertThat(me(signIn(new Browser(), "chief")))
                .isEqualTo("{\"name\":\"chief\",\"role\":\"admin\",\"session\":true}");
        assertThat(signIn(new Browser(), "visitor").status()).isEqualTo(403);
    }

    @Test
    void aWrongPasswordStaysAtTheProvider() throws Exception {
        Browser browser = new Browser();
        HttpResponse<String> page = browser.get(server.get("/login").header("Location"));
        assertThat(browser.enter(page, "maria", "wrong").statusCode()).isEqualTo(200);
    }

    @Test
    void signingOutEndsBothSessions() throws Exception {
        Browser browser = new Browser();
        Reply signedIn = signIn(browser, "maria");
        String session = cookie(signedIn, "__Host-plant4j");
        assertThat(browser.get(server.get("/login").header("Location")).statusCode())
                .as("the provider remembers the user")
                .isEqualTo(302);
        Reply signedOut = server.post("/logout", "", "Cookie", session, "Origin", publicUrl.toString());
        HttpResponse<String> ended = browser.get(signedOut.json().get("next").asText());
        assertThat(ended.headers().firstValue("Location")).contains(publicUrl + "/");
        assertThat(server.get("/api/me", "Cookie", session).status()).isEqualTo(401);
        assertThat(browser.get(server.get("/login").header("Location")).statusCode())
                .as("the provider asks for the password again")
                .isEqualTo(200);
    }

    @Test
    void aCodeIsRedeemedOnce() throws Exception {
        Browser browser = new Browser();
        Reply begun = server.get("/login");
        HttpResponse<String> redirect = browser.enter(browser.get(begun.header("Location")), "maria", "maria-password");
        assertThat(complete(begun, redirect).status()).isEqualTo(302);
        assertThat(complete(begun, redirect).status()).isEqualTo(403);
    }

    @Test
    void rotatedKeysAreLookedUp() throws Exception {
        me(signIn(new Browser(), "maria"));
        keycloak.rotateKey();
        assertThat(me(signIn(new Browser(), "maria"))).contains("maria");
    }
}
