package org.plant4j.app.desk;

import org.plant4j.app.review.Role;

/** Who sent a request. */
record Bearer(String name, Role role) {

    /** Whoever sits at the machine itself, as long as no token was made. */
    static final Bearer LOCAL = new Bearer("local", Role.ADMIN);
}
