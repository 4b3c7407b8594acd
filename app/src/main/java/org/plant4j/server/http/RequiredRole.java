package org.plant4j.server.http;

/** The role that a route requires of its caller. */
public enum RequiredRole {
    /** No token: health check and static pages. */
    NONE,

    /** Nothing, but requests are limited and audited: signing in and out. */
    LOGIN,

    /** Any token or session. */
    CODER,

    /** A token or session with the role reviewer or admin. */
    REVIEWER,

    /** A token or session with the admin role. */
    ADMIN
}
