package org.plant4j.server.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTParser;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.GeneralException;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.LogoutRequest;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.login.PendingLogins.PendingLogin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The OpenID Connect provider: the authorization code flow with PKCE, run by this server, so that the browser never sees a
 * token. The provider's configuration is read on the first sign-in and again every hour, its keys whenever a token names
 * an unknown one.
 */
final class OidcProvider {

    private static final Logger LOG = LoggerFactory.getLogger(OidcProvider.class);
    private static final int TIMEOUT_MILLISECONDS = 5000;
    private static final int MAX_KEYS_BYTES = 1 << 20;
    private static final long CONFIGURATION_NANOSECONDS = 3_600_000_000_000L;

    /** Pause after a failure, during which sign-ins fail at once instead of waiting for the provider one after another. */
    private static final long RETRY_NANOSECONDS = 10_000_000_000L;

    /** Signatures only: neither unsigned tokens nor ones signed with a shared secret are accepted. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.copyOf(JWSAlgorithm.Family.SIGNATURE);

    /** An ID token that passed all checks, and its claims. */
    record SignedIn(String idToken, IDTokenClaimsSet claims) {}

    private record Configuration(OIDCProviderMetadata metadata, IDTokenValidator validator, long readAt) {}

    private record Failure(Exception cause, long at) {}

    private final OidcSettings settings;
    private final ClientID client;
    private final URI callback;
    private final LongSupplier nanoseconds;
    private Optional<Configuration> configuration = Optional.empty();
    private Optional<Failure> failure = Optional.empty();

    OidcProvider(OidcSettings settings, URI callback, LongSupplier nanoseconds) {
        this.settings = settings;
        this.client = new ClientID(settings.clientId());
        this.callback = callback;
        this.nanoseconds = nanoseconds;
    }

    /** Where the browser goes to sign in. */
    URI loginUri(PendingLogin login) {
        Scope scope = new Scope("openid");
        settings.scopes().forEach(scope::add);
        return new AuthenticationRequest.Builder(ResponseType.CODE, scope, client, callback)
                .endpointURI(configuration().metadata().getAuthorizationEndpointURI())
                .state(login.state())
                .nonce(login.nonce())
                .codeChallenge(login.verifier(), CodeChallengeMethod.S256)
                .build()
                .toURI();
    }

    /** Where the browser goes to end the provider's session too; empty if the provider does not offer it. */
    Optional<URI> logoutUri(String idToken, URI returnTo) {
        return Optional.ofNullable(configuration().metadata().getEndSessionEndpointURI())
                .map(endpoint -> {
                    try {
                        return new LogoutRequest(endpoint, JWTParser.parse(idToken), null, client, returnTo, null, null)
                                .toURI();
                    } catch (java.text.ParseException e) {
                        throw new IllegalStateException("a checked ID token", e);
                    }
                });
    }

    void requireIssuer(Issuer issuer) {
        if (!issuer.getValue().equals(settings.issuer().toString())) {
            throw refused("the response is from another issuer");
        }
    }

    /** Redeems a code for an ID token and checks its signature, issuer, audience, expiry and nonce. */
    SignedIn redeem(AuthorizationCode code, PendingLogin login) {
        Configuration provider = configuration();
        try {
            HTTPRequest request = tokenRequest(provider.metadata(), code, login).toHTTPRequest();
            request.setConnectTimeout(TIMEOUT_MILLISECONDS);
            request.setReadTimeout(TIMEOUT_MILLISECONDS);
            request.setFollowRedirects(false);
            TokenResponse response = OIDCTokenResponseParser.parse(request.send());
            if (!response.indicatesSuccess()) {
                throw refused("the provider did not accept the code: "
                        + response.toErrorResponse().getErrorObject().getCode());
            }
            JWT idToken = ((OIDCTokenResponse) response.toSuccessResponse())
                    .getOIDCTokens()
                    .getIDToken();
            return new SignedIn(idToken.getParsedString(), provider.validator().validate(idToken, login.nonce()));
        } catch (ParseException e) {
            throw refused("the provider's response cannot be read");
        } catch (BadJOSEException | JOSEException e) {
            throw refused("the ID token is not valid: " + e.getMessage());
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private TokenRequest tokenRequest(OIDCProviderMetadata metadata, AuthorizationCode code, PendingLogin login) {
        AuthorizationCodeGrant grant = new AuthorizationCodeGrant(code, callback, login.verifier());
        URI endpoint = metadata.getTokenEndpointURI();
        if (settings.clientSecret().isEmpty()) {
            return new TokenRequest.Builder(endpoint, client, grant).build();
        }
        Secret secret = new Secret(settings.clientSecret().get());
        List<ClientAuthenticationMethod> methods = metadata.getTokenEndpointAuthMethods();
        boolean inBody = methods != null
                && !methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                && methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_POST);
        return new TokenRequest.Builder(
                        endpoint,
                        inBody ? new ClientSecretPost(client, secret) : new ClientSecretBasic(client, secret),
                        grant)
                .build();
    }

    private synchronized Configuration configuration() {
        long now = nanoseconds.getAsLong();
        Optional<Configuration> known = configuration;
        if (known.isPresent() && now - known.get().readAt() < CONFIGURATION_NANOSECONDS) {
            return known.get();
        }
        if (failure.isEmpty() || now - failure.get().at() >= RETRY_NANOSECONDS) {
            try {
                Configuration read = read(now);
                configuration = Optional.of(read);
                failure = Optional.empty();
                return read;
            } catch (GeneralException | IOException e) {
                failure = Optional.of(new Failure(e, nanoseconds.getAsLong()));
            }
        }
        return known.orElseThrow(() -> unreachable(failure.orElseThrow().cause())); // an hour old is better than none
    }

    private Configuration read(long now) throws GeneralException, IOException {
        Issuer issuer = new Issuer(settings.issuer());
        OIDCProviderMetadata metadata =
                OIDCProviderMetadata.resolve(issuer, TIMEOUT_MILLISECONDS, TIMEOUT_MILLISECONDS);
        JWKSource<SecurityContext> keys = JWKSourceBuilder.create(
                        metadata.getJWKSetURI().toURL(),
                        new DefaultResourceRetriever(TIMEOUT_MILLISECONDS, TIMEOUT_MILLISECONDS, MAX_KEYS_BYTES))
                // Only tokens that the provider itself has sent are checked, so unknown keys are always looked up.
                .rateLimited(false)
                .build();
        JWSVerificationKeySelector<SecurityContext> selector = new JWSVerificationKeySelector<>(ALGORITHMS, keys);
        return new Configuration(metadata, new IDTokenValidator(issuer, client, selector, null), now);
    }

    private ApiException unreachable(Exception e) {
        LOG.error("The sign-in provider {} cannot be reached: {}", settings.issuer(), e.getMessage());
        return new ApiException(
                ApiException.UNAVAILABLE,
                "The sign-in provider cannot be reached",
                "login",
                "try again in a minute, or ask an administrator");
    }

    /** The reason is logged, not shown: it helps administrators, and attackers. */
    static ApiException refused(String reason) {
        LOG.warn("A sign-in was refused: {}", reason);
        return new ApiException(
                ApiException.FORBIDDEN,
                "The sign-in is not valid, or took too long",
                "login",
                "sign in again; if it happens again, ask an administrator");
    }
}
