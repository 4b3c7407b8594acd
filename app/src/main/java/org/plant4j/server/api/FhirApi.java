package org.plant4j.server.api;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.List;
import java.util.function.Function;
import org.plant4j.fhir.FhirError;
import org.plant4j.fhir.FhirService;
import org.plant4j.server.coding.CodingQueue;
import org.plant4j.server.coding.DelayedRejection;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.OperationOutcomes;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;

/** The FHIR endpoint. */
public final class FhirApi {

    private final CodingQueue queue;
    private final RequestBodies bodies;
    private final EncounterCoding coding;
    private final FhirService fhir;
    private final Function<Context, String> baseUrl;

    public FhirApi(
            CodingQueue queue,
            RequestBodies bodies,
            EncounterCoding coding,
            FhirService fhir,
            Function<Context, String> baseUrl) {
        this.queue = queue;
        this.bodies = bodies;
        this.coding = coding;
        this.fhir = fhir;
        this.baseUrl = baseUrl;
    }

    public List<Route> routes() {
        return List.of(
                Route.post("/fhir/$code", RequiredRole.CODER, rejectWhenFull(this::code)),
                Route.post("/fhir", RequiredRole.CODER, rejectWhenFull(this::process)),
                Route.get("/fhir/metadata", RequiredRole.NONE, this::capabilities),
                definition("OperationDefinition"),
                definition("StructureDefinition"));
    }

    private Handler rejectWhenFull(Handler handler) {
        return new DelayedRejection(() -> queue.requireCapacity(1), handler);
    }

    private void code(Context request) {
        Responses.fhir(request, fhir.code(bodies.readFhir(request), coding.of(request), FhirApi::error));
    }

    /** A batch or transaction at the base URL. */
    private void process(Context request) {
        Responses.fhir(request, fhir.process(bodies.readFhir(request), coding.of(request), FhirApi::error));
    }

    /** The error of one entry of a batch. */
    private static FhirError error(RuntimeException failure) {
        if (failure instanceof ApiException error && !error.isClientGone()) {
            return new FhirError(
                    error.status(),
                    OperationOutcomes.code(error.status()),
                    String.valueOf(error.body().get("error")),
                    OperationOutcomes.diagnostics(error));
        }
        return FhirError.of(failure);
    }

    private Route definition(String type) {
        return Route.get(
                "/fhir/" + type + "/{id}",
                RequiredRole.NONE,
                request -> Responses.fhir(
                        request,
                        fhir.definition(type, request.pathParam("id"))
                                .orElseThrow(() -> ApiException.ofStatus(ApiException.NOT_FOUND))));
    }

    private void capabilities(Context request) {
        Responses.fhir(request, fhir.capabilities(baseUrl.apply(request) + "/fhir"));
    }
}
