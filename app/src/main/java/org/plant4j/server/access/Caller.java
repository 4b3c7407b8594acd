package org.plant4j.server.access;

import io.javalin.http.Context;
import org.plant4j.review.Role;

/** The authenticated sender of a request. */
public record Caller(String name, Role role) {

    /** The caller on loopback while no token exists. */
    static final Caller LOCAL = new Caller("local", Role.ADMIN);

    private static final String ATTRIBUTE = "caller";

    /** The caller that {@link #attachTo} stored in the request. */
    public static Caller of(Context request) {
        Caller caller = request.attribute(ATTRIBUTE);
        return caller == null ? LOCAL : caller;
    }

    public void attachTo(Context request) {
        request.attribute(ATTRIBUTE, this);
    }
}
