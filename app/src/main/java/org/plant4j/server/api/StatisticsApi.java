package org.plant4j.server.api;

import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.review.CodeTally;
import org.plant4j.review.ReviewPeriod;
import org.plant4j.review.ReviewStatistics;
import org.plant4j.review.ReviewStore;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.QueryParameters;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;
import org.plant4j.server.search.CodeCatalog;
import org.plant4j.server.search.ListedCode;

/** Figures about reviews for administrators. They contain names of coders, but no text. */
public final class StatisticsApi {

    private final ReviewStore reviews;
    private final CodeCatalog codes;

    public StatisticsApi(ReviewStore reviews, CodeCatalog codes) {
        this.reviews = reviews;
        this.codes = codes;
    }

    public List<Route> routes() {
        return List.of(Route.get("/api/statistics", RequiredRole.ADMIN, this::statistics));
    }

    private void statistics(Context request) {
        ReviewPeriod period = new ReviewPeriod(
                QueryParameters.date(request, "from"),
                QueryParameters.date(request, "to"),
                QueryParameters.storedText(request, "reviewer").filter(name -> !name.isEmpty()));
        if (period.from().isPresent()
                && period.to().isPresent()
                && period.from().get().isAfter(period.to().get())) {
            throw ApiException.unprocessable("The last day is before the first", "to", "send a later day");
        }
        ReviewStatistics.Result result = ReviewStatistics.of(reviews, period);
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("from", period.from().map(Object::toString));
        body.put("to", period.to().map(Object::toString));
        body.put("reviewer", period.reviewer());
        body.put("encounters", result.encounters());
        body.put("secondReviews", result.secondReviews());
        body.put("outOfDomain", result.outOfDomain());
        body.put("seconds", result.seconds());
        body.put("bands", result.bands().stream().map(StatisticsApi::toJson).toList());
        body.put(
                "reviewers",
                result.reviewers().stream().map(StatisticsApi::toJson).toList());
        body.put("codes", result.codes().stream().map(this::toJson).toList());
        Responses.json(request, body);
    }

    private static Map<String, Object> toJson(ReviewStatistics.BandFigures figures) {
        return withCounts(Map.of("band", figures.band().key()), figures.decisions());
    }

    private static Map<String, Object> toJson(ReviewStatistics.ReviewerFigures figures) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("reviewer", figures.reviewer());
        json.put("reviews", figures.reviews());
        json.put("secondReviews", figures.secondReviews());
        json.put("outOfDomain", figures.outOfDomain());
        json.put("seconds", figures.seconds());
        return withCounts(json, figures.decisions());
    }

    private Map<String, Object> toJson(ReviewStatistics.CodeFigures figures) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("code", figures.code());
        json.put(
                "description",
                codes.lookup(figures.code()).map(ListedCode::description).orElse(""));
        json.put("replacements", figures.replacements());
        return withCounts(json, figures.decisions());
    }

    private static Map<String, Object> withCounts(Map<String, Object> names, CodeTally.Counts counts) {
        Map<String, Object> json = new LinkedHashMap<>(names);
        json.put("accepted", counts.accepted());
        json.put("rejected", counts.rejected());
        json.put("changed", counts.changed());
        json.put("undecided", counts.undecided());
        json.put("added", counts.added());
        json.put("acceptance", counts.acceptance());
        return json;
    }
}
