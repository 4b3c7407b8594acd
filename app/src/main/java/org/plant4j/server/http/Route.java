package org.plant4j.server.http;

import io.javalin.http.Handler;
import io.javalin.http.HandlerType;

/** One thing the server does: its method and path ({@code <x>} may hold slashes), whom it serves, and how. */
public record Route(HandlerType method, String path, RequiredRole requiredRole, Handler handler) {

    public static Route get(String path, RequiredRole need, Handler handler) {
        return new Route(HandlerType.GET, path, need, handler);
    }

    public static Route post(String path, RequiredRole need, Handler handler) {
        return new Route(HandlerType.POST, path, need, handler);
    }

    /** The path as OpenAPI writes it. */
    public String template() {
        return path.replace('<', '{').replace('>', '}');
    }
}
