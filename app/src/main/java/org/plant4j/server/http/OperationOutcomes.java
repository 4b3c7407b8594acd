package org.plant4j.server.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Errors as FHIR clients expect them. Written without HAPI, which would have to be loaded first. */
public final class OperationOutcomes {

    private OperationOutcomes() {}

    static Map<String, Object> of(ApiException error) {
        Map<String, String> body = error.body();
        Map<String, Object> issue = new LinkedHashMap<>();
        issue.put("severity", "error");
        issue.put("code", code(error.status()));
        issue.put("details", Map.of("text", String.valueOf(body.get("error"))));
        issue.put("diagnostics", diagnostics(error));
        Map<String, Object> outcome = new LinkedHashMap<>();
        outcome.put("resourceType", "OperationOutcome");
        outcome.put("issue", List.of(issue));
        return outcome;
    }

    /** Where the error is and how to fix it. */
    public static String diagnostics(ApiException error) {
        return "where: " + error.body().get("where") + "; remedy: "
                + error.body().get("remedy");
    }

    /** A code of http://hl7.org/fhir/issue-type. */
    public static String code(int status) {
        return switch (status) {
            case ApiException.BAD_REQUEST, ApiException.UNSUPPORTED_MEDIA_TYPE -> "structure";
            case ApiException.UNAUTHORIZED -> "login";
            case ApiException.FORBIDDEN -> "forbidden";
            case ApiException.NOT_FOUND -> "not-found";
            case ApiException.REQUEST_TIMEOUT -> "timeout";
            case ApiException.TOO_LARGE, ApiException.URI_TOO_LONG, ApiException.HEADERS_TOO_LARGE -> "too-long";
            case ApiException.UNPROCESSABLE -> "processing";
            case ApiException.TOO_MANY_REQUESTS -> "throttled";
            case ApiException.UNAVAILABLE -> "transient";
            case ApiException.CONFLICT -> "conflict";
            case ApiException.INSUFFICIENT_STORAGE -> "no-store";
            case ApiException.INTERNAL -> "exception";
            default -> "not-supported";
        };
    }
}
