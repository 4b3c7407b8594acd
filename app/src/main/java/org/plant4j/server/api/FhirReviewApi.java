package org.plant4j.server.api;

import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.plant4j.fhir.FhirService;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.QueryParameters;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;
import org.plant4j.server.search.CodeCatalog;
import org.plant4j.server.search.ListedCode;

/** Submitted reviews as FHIR Bundles. */
public final class FhirReviewApi {

    private static final String IDENTIFIER = "identifier";

    private final ReadableReviews reviews;
    private final FhirService fhir;
    private final CodeCatalog codes;
    private final Function<Context, String> baseUrl;

    public FhirReviewApi(
            ReadableReviews reviews, FhirService fhir, CodeCatalog codes, Function<Context, String> baseUrl) {
        this.reviews = reviews;
        this.fhir = fhir;
        this.codes = codes;
        this.baseUrl = baseUrl;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/fhir/Bundle", RequiredRole.CODER, this::search),
                Route.get("/fhir/Bundle/{id}", RequiredRole.CODER, this::read));
    }

    private void read(Context request) {
        Responses.fhir(request, fhir.review(reviews.get(request, request.pathParam("id")), this::describe));
    }

    /** The review of an encounter that counts. */
    private void search(Context request) {
        String id = QueryParameters.storedText(request, IDENTIFIER)
                .filter(each -> !each.isBlank())
                .orElseThrow(() -> ApiException.unprocessable(
                        "The id of an encounter is required", IDENTIFIER, "search with /fhir/Bundle?identifier=ID"));
        String base = baseUrl.apply(request) + "/fhir";
        String self = base + "/Bundle?identifier=" + URLEncoder.encode(id, StandardCharsets.UTF_8);
        Responses.fhir(
                request,
                fhir.searchResult(
                        reviews.findFinal(request, id).or(() -> reviews.findFinal(request, otherForm(id))),
                        this::describe,
                        base,
                        self));
    }

    /** Without a system, an identifier is VALUE in some requests and |VALUE in others. */
    private static String otherForm(String identifier) {
        return identifier.startsWith("|") ? identifier.substring(1) : "|" + identifier;
    }

    private String describe(String code) {
        return codes.lookup(code).map(ListedCode::description).orElse("");
    }
}
