package org.plant4j.server.cds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.plant4j.fhir.FhirService;
import org.plant4j.server.api.EncounterCoding;
import org.plant4j.server.coding.ServerMetrics;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.Json;
import org.plant4j.server.http.JsonFields;
import org.plant4j.server.http.RequestAttributes;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;

/** The services of CDS Hooks 2.0. Documents come with the request, as prefetch; nothing is fetched or stored. */
public final class CdsHooksApi {

    private static final String PATH = "/cds-services";
    private static final int MAX_FEEDBACK = 100;
    private static final List<CdsService> SERVICES = List.of(CdsService.DISCHARGE, CdsService.PATIENT_VIEW);

    private static final Pattern CARD = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private enum Outcome {
        ACCEPTED,
        OVERRIDDEN
    }

    private final FhirService fhir;
    private final EncounterCoding coding;
    private final RequestBodies bodies;
    private final ServerMetrics metrics;
    private final String model;
    private final Function<Context, String> baseUrl;

    public CdsHooksApi(
            FhirService fhir,
            EncounterCoding coding,
            RequestBodies bodies,
            ServerMetrics metrics,
            String model,
            Function<Context, String> baseUrl) {
        this.fhir = fhir;
        this.coding = coding;
        this.bodies = bodies;
        this.metrics = metrics;
        this.model = model;
        this.baseUrl = baseUrl;
    }

    /** {@code rejectWhenFull}: rejects requests before they are read while the coding queue is full. */
    public List<Route> routes(Function<Handler, Handler> rejectWhenFull) {
        return List.of(
                Route.get(PATH, RequiredRole.NONE, request -> Responses.json(request, Map.of("services", SERVICES))),
                Route.post(PATH + "/{id}", RequiredRole.CODER, rejectWhenFull.apply(this::call)),
                Route.post(PATH + "/{id}/feedback", RequiredRole.CODER, this::feedback));
    }

    private void call(Context request) {
        CdsService service = service(request);
        JsonNode body = Json.parse(bodies.readJson(request));
        if (!body.path("hook").asText().equals(service.hook())) {
            throw ApiException.unprocessable("Not the hook of this service", "hook", "send " + service.hook());
        }
        if (!body.path("hookInstance").isTextual() || !body.path("context").isObject()) {
            throw ApiException.unprocessable(
                    "hookInstance or context is missing", "body", "send a request of CDS Hooks 2.0");
        }
        if (!body.path("prefetch").has("documents")) {
            throw new ApiException(
                    ApiException.PRECONDITION_FAILED,
                    "The documents are missing",
                    "prefetch.documents",
                    "send what the template of the service selects; this service fetches nothing");
        }
        List<Map<String, Object>> cards = documents(body.path("prefetch"))
                .flatMap(resource -> fhir.codeIfAny(resource, coding.of(request)))
                .map(bundle -> new CdsCards(model, baseUrl.apply(request) + "/").of(Json.parse(bundle)))
                .orElse(List.of());
        Responses.json(request, Map.of("cards", cards));
    }

    /** All prefetched resources as one collection, or empty if there are none. */
    private static Optional<String> documents(JsonNode prefetch) {
        ObjectNode bundle = JsonNodeFactory.instance.objectNode();
        bundle.put("resourceType", "Bundle").put("type", "collection");
        List<JsonNode> resources = new ArrayList<>();
        prefetch.forEach(each -> {
            if (each.has("resourceType")) {
                resources.add(each);
            }
        });
        resources.forEach(each -> bundle.withArrayProperty("entry").addObject().set("resource", each));
        return resources.isEmpty() ? Optional.empty() : Optional.of(bundle.toString());
    }

    /** Counts what became of cards; comments and reasons may be about a patient and are not kept. */
    private void feedback(Context request) {
        CdsService service = service(request);
        List<Outcome> outcomes = new ArrayList<>();
        for (JsonFields each : bodies.readObject(request).objects("feedback", MAX_FEEDBACK)) {
            outcomes.add(each.choice("outcome", Outcome.class));
            RequestAttributes.addDocument(request, "card:" + card(each));
        }
        outcomes.forEach(
                each -> metrics.recordCdsFeedback(service.id(), each.name().toLowerCase(Locale.ROOT)));
        Responses.json(request, Map.of());
    }

    /** The cards of this service have UUIDs; anything else does not belong into the audit log. */
    private static UUID card(JsonFields feedback) {
        String card = feedback.shortText("card");
        if (!CARD.matcher(card).matches()) {
            throw ApiException.unprocessable(
                    "Not the UUID of a card", feedback.pathOf("card"), "send the uuid of a card of this service");
        }
        return UUID.fromString(card);
    }

    private static CdsService service(Context request) {
        return SERVICES.stream()
                .filter(each -> each.id().equals(request.pathParam("id")))
                .findFirst()
                .orElseThrow(() -> new ApiException(
                        ApiException.NOT_FOUND, "Unknown service", "id", "list services with GET /cds-services"));
    }
}
