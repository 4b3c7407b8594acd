package org.plant4j.server.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.util.URLUtils;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * An OpenID Connect provider that signs everybody in, once per code, and can be told to misbehave. Checks the client's
 * secret and the PKCE verifier.
 */
public final class TestProvider implements AutoCloseable {

    public static final String CLIENT = "plant4j";
    public static final String SECRET = "a-secret-of-the-client";

    /** How the ID token is signed. */
    public enum Signature {
        RSA,
        NONE,
        /** With the client's secret, as some providers do. */
        SHARED_SECRET,
        /** With a key that the provider does not publish. */
        UNKNOWN_KEY
    }

    private record Code(String nonce, String challenge) {}

    private final HttpServer server;
    private final Map<String, Code> codes = new ConcurrentHashMap<>();
    private RSAKey key = newKey("one");

    /** Changes the claims of the next ID tokens. */
    public UnaryOperator<JWTClaimsSet.Builder> claims = UnaryOperator.identity();

    public Signature signature = Signature.RSA;

    public TestProvider() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext(
                "/.well-known/openid-configuration", exchange -> send(exchange, 200, """
                {"issuer": "%1$s", "authorization_endpoint": "%1$s/authorize", "token_endpoint": "%1$s/token",
                 "jwks_uri": "%1$s/keys", "end_session_endpoint": "%1$s/logout", "response_types_supported": ["code"],
                 "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"]}
                """.formatted(issuer())));
        server.createContext("/keys", exchange -> send(exchange, 200, new JWKSet(key.toPublicJWK()).toString()));
        server.createContext("/token", this::token);
        server.createContext(
                "/authorize",
                exchange -> redirect(
                        exchange,
                        parameter(exchange.getRequestURI().toString(), "redirect_uri") + "?"
                                + signIn(exchange.getRequestURI().toString())));
        server.createContext(
                "/logout",
                exchange ->
                        redirect(exchange, parameter(exchange.getRequestURI().toString(), "post_logout_redirect_uri")));
        server.start();
    }

    public URI issuer() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Forgets what was changed. */
    public void behave() {
        claims = UnaryOperator.identity();
        signature = Signature.RSA;
    }

    /** Signs with another key from now on, and publishes only that one. */
    public void rotateKey() {
        key = newKey("two");
    }

    /** What the user's sign-in at this provider does: returns the query with which the browser comes back. */
    public String signIn(String loginUri) {
        String code = "code-" + codes.size() + "-" + System.nanoTime();
        codes.put(code, new Code(parameter(loginUri, "nonce"), parameter(loginUri, "code_challenge")));
        return "code=" + code + "&state=" + parameter(loginUri, "state");
    }

    /** A query parameter of a URI. */
    public static String parameter(String uri, String name) {
        return first(query(uri), name);
    }

    private static String first(Map<String, List<String>> parameters, String name) {
        return parameters.getOrDefault(name, List.of("")).get(0);
    }

    public static Map<String, List<String>> query(String uri) {
        return URLUtils.parseParameters(URI.create(uri).getRawQuery());
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, List<String>> form =
                URLUtils.parseParameters(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String basic =
                "Basic " + Base64.getEncoder().encodeToString((CLIENT + ":" + SECRET).getBytes(StandardCharsets.UTF_8));
        Code code = codes.remove(first(form, "code"));
        if (code == null
                || !basic.equals(exchange.getRequestHeaders().getFirst("Authorization"))
                || !code.challenge().equals(challenge(first(form, "code_verifier")))) {
            send(exchange, 400, "{\"error\": \"invalid_grant\"}");
            return;
        }
        send(exchange, 200, """
                {"access_token": "unused", "token_type": "Bearer", "id_token": "%s"}
                """.formatted(idToken(code.nonce())));
    }

    private static String challenge(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private String idToken(String nonce) {
        Instant now = Instant.now();
        JWTClaimsSet set = claims.apply(new JWTClaimsSet.Builder()
                        .issuer(issuer().toString())
                        .subject("subject-1")
                        .audience(CLIENT)
                        .issueTime(Date.from(now))
                        .expirationTime(Date.from(now.plusSeconds(300)))
                        .claim("nonce", nonce)
                        .claim("preferred_username", "maria")
                        .claim("roles", List.of("offline_access", "coder")))
                .build();
        try {
            return switch (signature) {
                case NONE -> new PlainJWT(set).serialize();
                case RSA -> signed(key, set);
                case UNKNOWN_KEY -> signed(newKey("stranger"), set);
                case SHARED_SECRET -> {
                    SignedJWT jwt = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), set);
                    jwt.sign(new MACSigner((SECRET + SECRET).getBytes(StandardCharsets.UTF_8)));
                    yield jwt.serialize();
                }
            };
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private static String signed(RSAKey key, JWTClaimsSet set) throws JOSEException {
        SignedJWT jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(), set);
        jwt.sign(new RSASSASigner(key));
        return jwt.serialize();
    }

    private static RSAKey newKey(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private static void redirect(HttpExchange exchange, String location) throws IOException {
        exchange.getResponseHeaders().add("Location", location);
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
