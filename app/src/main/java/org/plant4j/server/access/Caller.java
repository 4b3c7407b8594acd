package org.plant4j.server.access;

import io.javalin.http.Context;
import java.util.Optional;
import org.plant4j.review.access.Role;

/** The authenticated sender of a request; {@code session}: signed in at a provider, and known by a cookie. */
public record Caller(String name, Role role, boolean session) {

    /** A caller with a token. */
    public Caller(String name, Role role) {
        this(name, role, false);
    }

    /** The caller on loopback while no token exists. */
    static final Caller LOCAL = new Caller("local", Role.ADMIN);

    private static final String ATTRIBUTE = "caller";

    /** The caller that {@link #attachTo} stored in the request. */
    public static Caller of(Context request) {
        return find(request).orElseThrow(() -> new IllegalStateException("the request was not authorized"));
    }

    /** The caller, or empty if the request was rejected before. */
    public static Optional<Caller> find(Context request) {
        return Optional.ofNullable(request.attribute(ATTRIBUTE));
    }

    public boolean isAdmin() {
        return role == Role.ADMIN;
    }

    /** Whether the caller may do second reviews. */
    public boolean isReviewer() {
        return role != Role.CODER;
    }

    public void attachTo(Context request) {
        request.attribute(ATTRIBUTE, this);
    }
}
