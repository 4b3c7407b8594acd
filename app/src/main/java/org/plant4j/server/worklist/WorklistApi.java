package org.plant4j.server.worklist;

import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.fhir.FhirIntake;
import org.plant4j.fhir.FhirLimits;
import org.plant4j.review.ReviewStore;
import org.plant4j.review.worklist.Arrival;
import org.plant4j.review.worklist.Claimant;
import org.plant4j.review.worklist.EncounterState;
import org.plant4j.review.worklist.IncomingEncounter;
import org.plant4j.review.worklist.Worklist;
import org.plant4j.review.worklist.WorklistEntry;
import org.plant4j.review.worklist.WorklistQuery;
import org.plant4j.server.access.Caller;
import org.plant4j.server.api.ReviewJson;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.JsonFields;
import org.plant4j.server.http.QueryParameters;
import org.plant4j.server.http.RequestAttributes;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;

/** Adds encounters to the worklist, lists them, and hands them out to coders and reviewers. */
public final class WorklistApi {

    private static final int MAX_LISTED = 200;

    private final Worklist worklist;
    private final ReviewStore reviews;
    private final RequestBodies bodies;
    private final EncounterJson json;
    private final FhirLimits limits;

    public WorklistApi(
            Worklist worklist, ReviewStore reviews, RequestBodies bodies, EncounterJson json, FhirLimits limits) {
        this.worklist = worklist;
        this.reviews = reviews;
        this.bodies = bodies;
        this.json = json;
        this.limits = limits;
    }

    public List<Route> routes() {
        return List.of(
                Route.post("/api/encounters", RequiredRole.CODER, this::add),
                Route.get("/api/encounters", RequiredRole.CODER, this::list),
                Route.post("/api/encounters/next", RequiredRole.CODER, this::next),
                Route.post("/api/encounters/claim", RequiredRole.CODER, this::claim),
                Route.post("/api/encounters/release", RequiredRole.CODER, this::release),
                Route.get("/api/encounters/<id>", RequiredRole.CODER, this::find),
                Route.post("/fhir/$add-to-worklist", RequiredRole.CODER, this::addFhir));
    }

    private void add(Context request) {
        IncomingEncounter encounter = json.parse(bodies.readObject(request));
        RequestAttributes.addDocument(request, encounter.id());
        Arrival arrival = worklist.add(encounter, "api");
        request.status(arrival.outcome() == Arrival.Outcome.CREATED ? 201 : 200);
        Responses.json(request, arrival);
    }

    private void addFhir(Context request) {
        List<IncomingEncounter> encounters = FhirIntake.read(bodies.readFhir(request), limits).stream()
                .map(json::validate)
                .toList();
        encounters.forEach(each -> RequestAttributes.addDocument(request, each.id()));
        Responses.fhir(request, FhirIntake.write(worklist.addAll(encounters, "fhir")));
    }

    private void list(Context request) {
        Optional<String> visibleTo = visibleTo(Caller.of(request));
        WorklistQuery query = new WorklistQuery(
                QueryParameters.integer(request, "limit", 50, MAX_LISTED),
                QueryParameters.storedText(request, "after"),
                QueryParameters.text(request, "state").map(WorklistApi::state),
                visibleTo,
                QueryParameters.text(request, "disagreements")
                        .map("true"::equals)
                        .orElse(false));
        Map<String, Object> counts = new LinkedHashMap<>();
        worklist.count(visibleTo).forEach((state, count) -> counts.put(state.key(), count));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put(
                "encounters",
                worklist.list(query).stream().map(EncounterJson::toJson).toList());
        body.put("counts", counts);
        Responses.json(request, body);
    }

    private static EncounterState state(String name) {
        for (EncounterState state : EncounterState.values()) {
            if (state.key().equals(name)) {
                return state;
            }
        }
        throw ApiException.unprocessable(
                "Unknown state", "state", "use open, in_progress, coded, second_review or closed");
    }

    /** Coders see what they can work on; reviewers and administrators see all. */
    private static Optional<String> visibleTo(Caller caller) {
        return caller.isReviewer() ? Optional.empty() : Optional.of(caller.name());
    }

    private static Claimant claimant(Context request) {
        Caller caller = Caller.of(request);
        return new Claimant(caller.name(), caller.isReviewer());
    }

    private void next(Context request) {
        JsonFields body = bodies.readObject(request).allow("after", "secondReview");
        boolean secondReview = body.bool("secondReview", false);
        Claimant claimant = claimant(request);
        if (secondReview && !claimant.reviewer()) {
            throw new ApiException(
                    ApiException.FORBIDDEN, "The reviewer role is required", "secondReview", "ask an administrator");
        }
        Optional<WorklistEntry> next = worklist.claimNext(claimant, body.optionalShortText("after"), secondReview);
        if (next.isPresent()) {
            respond(request, next.get());
        } else {
            request.status(204);
        }
    }

    private void claim(Context request) {
        String id = bodies.readObject(request).allow("id").shortText("id");
        RequestAttributes.addDocument(request, id);
        WorklistEntry entry = visible(request, id);
        respond(request, worklist.claim(entry.id(), claimant(request)).orElseThrow(WorklistApi::unknown));
    }

    /** Releases one claim, or all of the caller. Administrators may release the claims of others. */
    private void release(Context request) {
        JsonFields body = bodies.readObject(request).allow("id");
        Caller caller = Caller.of(request);
        int released;
        if (body.has("id")) {
            WorklistEntry entry = visible(request, body.shortText("id"));
            RequestAttributes.addDocument(request, entry.id());
            String holder = entry.claim()
                    .filter(each -> caller.isAdmin())
                    .map(WorklistEntry.Claim::by)
                    .orElse(caller.name());
            released = worklist.release(entry.id(), holder) ? 1 : 0;
        } else {
            released = worklist.releaseAll(caller.name());
        }
        Responses.json(request, Map.of("released", released));
    }

    /** An encounter with its texts, for those who work or have worked on it, and for reviewers. */
    private void find(Context request) {
        String id = request.pathParam("id");
        RequestAttributes.addDocument(request, id);
        WorklistEntry entry = visible(request, id);
        Caller caller = Caller.of(request);
        boolean involved = caller.isReviewer()
                || entry.claim().map(each -> each.by().equals(caller.name())).orElse(false)
                || entry.coding()
                        .map(each -> each.coder().equals(caller.name()))
                        .orElse(false);
        if (!involved) {
            throw new ApiException(
                    ApiException.CONFLICT, "Nobody works on this encounter", "id", "claim it to read its documents");
        }
        respond(request, entry);
    }

    /** What a coder must not see is unknown. */
    private WorklistEntry visible(Context request, String id) {
        Caller caller = Caller.of(request);
        return worklist.find(id)
                .filter(each -> caller.isReviewer() || isVisible(each, caller.name()))
                .orElseThrow(WorklistApi::unknown);
    }

    private static boolean isVisible(WorklistEntry entry, String coder) {
        return entry.state() == EncounterState.OPEN
                || entry.claim().map(each -> each.by().equals(coder)).orElse(false)
                || entry.coding().map(each -> each.coder().equals(coder)).orElse(false);
    }

    private static ApiException unknown() {
        return new ApiException(
                ApiException.NOT_FOUND, "Unknown encounter", "id", "list encounters with /api/encounters");
    }

    /** The encounter with its documents, and its reviews for reviewers and its coder. */
    private void respond(Context request, WorklistEntry entry) {
        RequestAttributes.addDocument(request, entry.id());
        Map<String, Object> body = EncounterJson.toJson(entry);
        body.put("documents", worklist.documents(entry.id()));
        Caller caller = Caller.of(request);
        boolean readsReviews = caller.isReviewer()
                || entry.coding()
                        .map(each -> each.coder().equals(caller.name()))
                        .orElse(false);
        Optional<String> first = entry.coding().map(WorklistEntry.Coding::review);
        Optional<String> second = entry.secondReview().map(WorklistEntry.SecondReview::review);
        body.put(
                "firstReview",
                first.filter(each -> readsReviews).flatMap(reviews::find).map(ReviewJson::toJson));
        body.put(
                "secondReview",
                second.filter(each -> readsReviews).flatMap(reviews::find).map(ReviewJson::toJson));
        Responses.json(request, body);
    }
}
