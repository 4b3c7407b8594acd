package org.plant4j.server.access;

import org.plant4j.review.Role;

/** Who sent a request. */
public record Caller(String name, Role role) {

    /** Whoever sits at the machine itself, as long as no token was made. */
    public static final Caller LOCAL = new Caller("local", Role.ADMIN);
}
