/** Single sign-on with OpenID Connect, and the sessions of those who have signed in. */
@NullMarked
package org.plant4j.server.login;

import org.jspecify.annotations.NullMarked;
