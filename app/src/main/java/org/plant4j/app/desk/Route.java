package org.plant4j.app.desk;

import io.javalin.http.Handler;
import io.javalin.http.HandlerType;

/** One thing the server does: its method and path ({@code <x>} may hold slashes), whom it serves, and how. */
record Route(HandlerType method, String path, Need need, Handler handler) {

    static Route get(String path, Need need, Handler handler) {
        return new Route(HandlerType.GET, path, need, handler);
    }

    static Route post(String path, Need need, Handler handler) {
        return new Route(HandlerType.POST, path, need, handler);
    }

    /** The path as OpenAPI writes it. */
    String template() {
        return path.replace('<', '{').replace('>', '}');
    }
}
