package org.plant4j.server.http;

/** The role that a route requires of its caller. */
public enum RequiredRole {
    /** No token: health check and static pages. */
    NONE,

    /** Any token. */
    CODER,

    /** A token with the role reviewer or admin. */
    REVIEWER,

    /** A token with the admin role. */
    ADMIN
}
