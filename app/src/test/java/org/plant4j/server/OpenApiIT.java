package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Route;

/** The OpenAPI description matches the server. */
class OpenApiIT {

    @Test
    void describesExactlyTheRoutesOfTheServer() {
        try (RunningServer server = new RunningServer()) {
            JsonNode api = server.get("/openapi.json").json();
            Set<String> described = new TreeSet<>();
            api.get("paths")
                    .properties()
                    .forEach(path -> path.getValue()
                            .fieldNames()
                            .forEachRemaining(method -> described.add(method + " " + path.getKey())));
            Set<String> served = new TreeSet<>();
            server.server
                    .routes()
                    .forEach(route ->
                            served.add(route.method().toString().toLowerCase(Locale.ROOT) + " " + route.template()));
            assertThat(described).isEqualTo(served);
        }
    }

    @Test
    void describesSecurityAndHasNoBrokenReferences() {
        try (RunningServer server = new RunningServer()) {
            JsonNode api = server.get("/openapi.json").json();
            for (Route route : server.server.routes()) {
                JsonNode described = api.path("paths")
                        .path(route.template())
                        .path(route.method().toString().toLowerCase(Locale.ROOT));
                assertThat(described.has("security"))
                        .as(route.template())
                        .isEqualTo(route.requiredRole() == RequiredRole.NONE);
                assertThat(described.path("responses").has("401"))
                        .as(route.template())
                        .isEqualTo(route.requiredRole() != RequiredRole.NONE);
                assertThat(described.path("responses").has("403"))
                        .as(route.template())
                        .isEqualTo(route.requiredRole() == RequiredRole.ADMIN);
            }
            api.findValuesAsText("$ref")
                    .forEach(ref -> assertThat(api.at(ref.substring(1)).isMissingNode())
                            .as(ref)
                            .isFalse());
        }
    }
}
