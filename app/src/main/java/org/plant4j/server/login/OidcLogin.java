package org.plant4j.server.login;

import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.openid.connect.sdk.AuthenticationResponse;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.plant4j.review.access.Role;
import org.plant4j.review.access.UserStore;
import org.plant4j.server.access.Caller;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.login.PendingLogins.PendingLogin;

/** Signs users in at an OpenID Connect provider, knows who is signed in, and signs them out. */
public final class OidcLogin {

    private static final int MAX_NAME = 100;
    private static final Set<HandlerType> SAFE_METHODS = Set.of(HandlerType.GET, HandlerType.HEAD);

    private final OidcProvider provider;
    private final RoleClaim roles;
    private final UserStore users;
    private final PendingLogins pending;
    private final Sessions sessions;
    private final Set<String> proxies;
    private final String publicUrl;
    private final String publicOrigin;

    /**
     * Creates the sign-in of a server.
     *
     * @param publicUrl the URL of the server in browsers; the provider redirects to {@code /login/callback} below it
     * @param proxies the addresses of proxies whose {@code X-Forwarded-Proto} is believed
     */
    public OidcLogin(
            OidcSettings settings, URI publicUrl, Set<String> proxies, UserStore users, LongSupplier nanoseconds) {
        OidcSettings.requireSecure("--public-url", publicUrl);
        this.publicUrl = publicUrl.toString().replaceFirst("/+$", "");
        this.publicOrigin = publicUrl.getScheme() + "://" + publicUrl.getAuthority();
        this.provider = new OidcProvider(settings, URI.create(this.publicUrl + "/login/callback"), nanoseconds);
        this.roles = new RoleClaim(settings.roles());
        this.users = users;
        this.pending = new PendingLogins(nanoseconds);
        this.sessions = new Sessions(settings.sessions(), nanoseconds);
        this.proxies = Set.copyOf(proxies);
    }

    /** The address of the sign-in. */
    String address() {
        return publicUrl + "/login";
    }

    /** Redirects to the provider. */
    void begin(Context request) {
        PendingLogin login = pending.start(localPath(request.queryParam("return")));
        URI uri = provider.loginUri(login);
        SessionCookie.LOGIN.write(request, login.state().getValue());
        request.redirect(uri.toString());
    }

    /** The page to return to; a path of this server, whatever the link to the sign-in said. */
    static String localPath(@Nullable String path) {
        return path != null && path.matches("/(?![/\\\\])[!-~&&[^\\\\]]{0,200}") ? path : "/";
    }

    /** Completes a sign-in when the provider redirects back. */
    void complete(Context request) {
        Optional<String> browser = SessionCookie.LOGIN.read(request);
        SessionCookie.LOGIN.delete(request);
        AuthenticationResponse response = parse(request);
        String state = response.getState() == null ? "" : response.getState().getValue();
        PendingLogin login = browser.filter(state::equals)
                .flatMap(pending::take)
                .orElseThrow(() -> OidcProvider.refused("it was not begun in this browser, or is completed"));
        if (response.getIssuer() != null) {
            provider.requireIssuer(response.getIssuer());
        }
        if (!response.indicatesSuccess()) {
            throw OidcProvider.refused("the provider answered "
                    + response.toErrorResponse().getErrorObject().getCode());
        }
        OidcProvider.SignedIn user =
                provider.redeem(response.toSuccessResponse().getAuthorizationCode(), login);
        Caller caller = caller(user.claims());
        caller.attachTo(request);
        SessionCookie.SESSION.read(request).ifPresent(sessions::end);
        SessionCookie.SESSION.write(request, sessions.start(caller, user.idToken()));
        request.redirect(publicUrl + login.returnPath());
    }

    private static AuthenticationResponse parse(Context request) {
        try {
            AuthenticationResponse response = AuthenticationResponseParser.parse(URI.create("https://localhost/?"
                    + Optional.ofNullable(request.queryString()).orElse("")));
            if (response.indicatesSuccess() && response.toSuccessResponse().getAuthorizationCode() == null) {
                throw OidcProvider.refused("the response has no code");
            }
            return response;
        } catch (ParseException | IllegalArgumentException e) {
            throw OidcProvider.refused("the response cannot be read");
        }
    }

    private Caller caller(IDTokenClaimsSet claims) {
        Role role = roles.role(claims)
                .orElseThrow(() -> new ApiException(
                        ApiException.FORBIDDEN,
                        "Your account has no role on this server",
                        "login",
                        "ask an administrator for the role coder"));
        String subject = claims.getSubject().getValue();
        String name = Optional.ofNullable(claims.getStringClaim("preferred_username"))
                .or(() -> Optional.ofNullable(claims.getStringClaim("email")))
                .filter(claimed -> !claimed.isBlank()
                        && claimed.length() <= MAX_NAME
                        && claimed.chars().noneMatch(Character::isISOControl))
                .orElse(subject);
        return users.claim(claims.getIssuer().getValue(), subject, name)
                .map(own -> new Caller(own, role, true))
                .orElseThrow(() -> new ApiException(
                        ApiException.FORBIDDEN,
                        "The name " + name + " belongs to another user or to a token",
                        "login",
                        "ask an administrator: reviews are signed with names, so each has one owner"));
    }

    /** Who is signed in, by the cookie of the request. */
    public Optional<Caller> find(Context request) {
        Optional<String> secret = SessionCookie.SESSION.read(request);
        if (secret.isPresent() && cameUnencrypted(request)) {
            sessions.end(secret.get());
            return Optional.empty();
        }
        Optional<Caller> caller = secret.flatMap(sessions::use);
        if (caller.isPresent()) {
            requireOwnOrigin(request);
        }
        return caller;
    }

    /** A cookie that was sent without TLS may have been read on its way. */
    private boolean cameUnencrypted(Context request) {
        return proxies.contains(request.ip())
                && publicOrigin.startsWith("https:")
                && "http".equalsIgnoreCase(request.header("X-Forwarded-Proto"));
    }

    /** Browsers send cookies with requests that other pages cause, but also the origin of those pages. */
    private void requireOwnOrigin(Context request) {
        if (!SAFE_METHODS.contains(request.method()) && !publicOrigin.equals(request.header("Origin"))) {
            throw new ApiException(
                    ApiException.FORBIDDEN,
                    "Requests with a session must come from the pages of this server",
                    "Origin",
                    "use a token in other programs");
        }
    }

    /** Ends the session; returns where to end that of the provider. */
    Optional<URI> end(Context request) {
        find(request).ifPresent(caller -> caller.attachTo(request));
        Optional<String> idToken = SessionCookie.SESSION.read(request).flatMap(sessions::end);
        SessionCookie.SESSION.delete(request);
        return idToken.flatMap(token -> provider.logoutUri(token, URI.create(publicUrl + "/")));
    }
}
