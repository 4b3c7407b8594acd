package org.plant4j.server.login;

import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.plant4j.review.access.Role;

/** Finds the role of a user in the claims of the ID token. */
final class RoleClaim {

    private final OidcSettings.Roles roles;

    RoleClaim(OidcSettings.Roles roles) {
        this.roles = roles;
    }

    /** The highest role that the claim gives; empty if it gives none. */
    Optional<Role> role(IDTokenClaimsSet claims) {
        return values(claims.toJSONObject()).stream()
                .flatMap(value -> Optional.ofNullable(roles.byValue().get(String.valueOf(value))).stream())
                .max(Comparator.naturalOrder());
    }

    private Collection<?> values(Map<String, Object> claims) {
        Object found = claims.containsKey(roles.claim()) ? claims.get(roles.claim()) : nested(claims);
        if (found instanceof Collection<?> several) {
            return several;
        }
        return found == null ? List.of() : List.of(found);
    }

    private @Nullable Object nested(Map<String, Object> claims) {
        Object found = claims;
        for (String name : roles.claim().split("\\.", -1)) {
            found = found instanceof Map<?, ?> object ? object.get(name) : null;
        }
        return found;
    }
}
