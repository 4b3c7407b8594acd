package org.plant4j.server.login;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.plant4j.report.Html;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;
import org.plant4j.server.http.SecurityHeaders;

/** The routes of single sign-on; without a provider they answer 404. */
public final class LoginApi {

    private final Optional<OidcLogin> login;

    public LoginApi(Optional<OidcLogin> login) {
        this.login = login;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/api/login", RequiredRole.NONE, this::methods),
                Route.get("/login", RequiredRole.LOGIN, page(OidcLogin::begin)),
                Route.get("/login/callback", RequiredRole.LOGIN, page(OidcLogin::complete)),
                Route.post("/logout", RequiredRole.LOGIN, this::logout));
    }

    /** Tells the page how to sign in. */
    private void methods(Context request) {
        Responses.json(request, Map.of("provider", login.isPresent()));
    }

    private void logout(Context request) {
        Optional<URI> next = requireLogin().end(request);
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("next", next.map(URI::toString).orElse(null));
        Responses.json(request, body);
    }

    private OidcLogin requireLogin() {
        return login.orElseThrow(() -> new ApiException(
                ApiException.NOT_FOUND,
                "This server has no sign-in provider",
                "login",
                "send a token, or start the server with --oidc-issuer"));
    }

    /** A handler for a page that a browser opens: errors are shown as a page, too. */
    private Handler page(BiConsumer<OidcLogin, Context> handler) {
        return request -> {
            try {
                handler.accept(requireLogin(), request);
            } catch (ApiException error) {
                showError(request, error);
            }
        };
    }

    private void showError(Context response, ApiException error) {
        Map<String, String> body = error.body();
        String again = login.map(OidcLogin::address).orElse("/");
        SecurityHeaders.setContentSecurityPolicy(response, SecurityHeaders.DOCUMENT_POLICY);
        response.status(error.status())
                .contentType("text/html; charset=utf-8")
                .result(Html.page(
                        "Sign-in failed",
                        "",
                        String.format(
                                Locale.ROOT,
                                """
                <h1>Sign-in failed</h1>
                <p>%s. Remedy: %s.</p>
                <p><a href="%s">Sign in again</a></p>
                """,
                                Html.escape(body.getOrDefault("error", "")),
                                Html.escape(body.getOrDefault("remedy", "")),
                                Html.escape(again))));
    }
}
