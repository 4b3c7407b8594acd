package org.plant4j.server.http;

import io.javalin.http.Handler;
import io.javalin.http.HandlerType;

/** A route: method, path ({@code <x>} matches slashes, {@code {x}} does not), required role and handler. */
public record Route(HandlerType method, String path, RequiredRole requiredRole, Handler handler) {

    public static Route get(String path, RequiredRole requiredRole, Handler handler) {
        return new Route(HandlerType.GET, path, requiredRole, handler);
    }

    public static Route post(String path, RequiredRole requiredRole, Handler handler) {
        return new Route(HandlerType.POST, path, requiredRole, handler);
    }

    /** The path in OpenAPI syntax. */
    public String template() {
        return path.replace('<', '{').replace('>', '}');
    }
}
