package org.plant4j.server.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.server.access.Caller;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;

/** Tells a caller who they are. */
public final class AccountApi {

    public List<Route> routes() {
        return List.of(Route.get("/api/me", RequiredRole.CODER, request -> {
            Caller caller = Caller.of(request);
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("name", caller.name());
            body.put("role", caller.role());
            body.put("session", caller.session());
            Responses.json(request, body);
        }));
    }
}
