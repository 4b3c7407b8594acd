package org.plant4j.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.access.Role;
import org.plant4j.review.access.TokenSecret;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.RequiredRole;

class AccessControlTest {

    private static final long SECOND = 1_000_000_000L;

    private final InMemoryAccessTokenStore tokens = new InMemoryAccessTokenStore();
    private static final ClientAddress CLIENT = new ClientAddress("10.0.0.1", true);

    private long now;
    private Instant clock = Instant.parse("2026-01-01T00:00:00Z");

    private AccessControl access(boolean loopback, int perSecond) {
        return new AccessControl(tokens, loopback, perSecond, Clock.fixed(clock, ZoneOffset.UTC), () -> now);
    }

    private static Caller authorize(
            AccessControl access, Optional<String> authorization, ClientAddress client, RequiredRole required) {
        Caller caller = access.authenticate(authorization, Optional::empty, client);
        access.authorize(caller, required);
        return caller;
    }

    private static int rejectedStatus(AccessControl access, String authorization, RequiredRole need) {
        return catchThrowableOfType(
                        ApiException.class, () -> authorize(access, Optional.of(authorization), CLIENT, need))
                .status();
    }

    @Test
    void onLoopbackWithoutTokensEveryRequestIsAllowed() {
        assertThat(authorize(access(true, 0), Optional.empty(), CLIENT, RequiredRole.ADMIN))
                .isEqualTo(Caller.LOCAL);
    }

    @Test
    void aPublicAddressRequiresAToken() {
        AccessControl access = access(false, 0);
        assertThat(rejectedStatus(access, "", RequiredRole.CODER)).isEqualTo(401);
        String secret = tokens.create("maria", Role.CODER);
        Caller maria = authorize(access, Optional.of("Bearer " + secret), CLIENT, RequiredRole.CODER);
        assertThat(maria).isEqualTo(new Caller("maria", Role.CODER));
        assertThat(rejectedStatus(access, "Bearer " + secret, RequiredRole.ADMIN))
                .isEqualTo(403);
    }

    @Test
    void createdAndRevokedTokensTakeEffectWithinSeconds() {
        AccessControl access = access(true, 0);
        String secret = tokens.create("maria", Role.CODER);
        tokens.create("root", Role.ADMIN);
        now += 4 * SECOND;
        assertThat(rejectedStatus(access, "", RequiredRole.CODER)).isEqualTo(401);
        assertThat(authorize(access, Optional.of("Bearer " + secret), CLIENT, RequiredRole.CODER)
                        .name())
                .isEqualTo("maria");
        tokens.revoke("maria", Instant.EPOCH);
        now += 4 * SECOND;
        assertThat(rejectedStatus(access, "Bearer " + secret, RequiredRole.CODER))
                .isEqualTo(401);
    }

    @Test
    void revokingTheLastTokenOpensNothing() {
        tokens.create("maria", Role.CODER);
        AccessControl access = access(true, 0);
        tokens.revoke("maria", Instant.EPOCH);
        now += 4 * SECOND;
        assertThat(rejectedStatus(access, "", RequiredRole.CODER)).isEqualTo(401);
        assertThat(rejectedStatus(access(true, 0), "", RequiredRole.CODER)).isEqualTo(401); // nor does a restart
    }

    @Test
    void aForwardedRequestIsNotLocal() {
        ClientAddress forwarded = new ClientAddress("127.0.0.1", false);
        assertThat(catchThrowableOfType(
                                ApiException.class,
                                () -> authorize(access(true, 0), Optional.empty(), forwarded, RequiredRole.CODER))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void theClientIsTheLastAddressThatIsNotAProxy() {
        Set<String> proxies = Set.of("10.0.0.1", "10.0.0.2");
        assertThat(ClientAddress.lastUnknown("6.6.6.6, 192.0.2.7, 10.0.0.2", proxies, "10.0.0.1"))
                .isEqualTo("192.0.2.7");
        assertThat(ClientAddress.lastUnknown("", proxies, "10.0.0.1")).isEqualTo("10.0.0.1");
    }

    @Test
    void aTokenExpiresAndIsRotatedUnderTheSameName() {
        String old = "Bearer " + tokens.create("maria", Role.CODER);
        tokens.rotate("maria", TokenSecret.hash("new"), clock, Optional.of(clock.plusSeconds(60)));
        AccessControl access = access(true, 0);
        assertThat(rejectedStatus(access, old, RequiredRole.CODER)).isEqualTo(401);
        assertThat(authorize(access, Optional.of("Bearer new"), CLIENT, RequiredRole.CODER))
                .isEqualTo(new Caller("maria", Role.CODER));
        clock = clock.plusSeconds(60);
        assertThat(rejectedStatus(access(true, 0), "Bearer new", RequiredRole.CODER))
                .isEqualTo(401);
    }

    @Test
    void everyTokenHasItsOwnRateLimit() {
        AccessControl access = access(false, 2);
        String maria = "Bearer " + tokens.create("maria", Role.CODER);
        String omar = "Bearer " + tokens.create("omar", Role.CODER);
        for (int i = 0; i < 8; i++) { // the burst of four seconds
            authorize(access, Optional.of(maria), CLIENT, RequiredRole.CODER);
        }
        assertThat(rejectedStatus(access, maria, RequiredRole.CODER)).isEqualTo(429);
        authorize(access, Optional.of(omar), CLIENT, RequiredRole.CODER);
        now += SECOND / 2;
        authorize(access, Optional.of(maria), CLIENT, RequiredRole.CODER);
        assertThat(rejectedStatus(access, maria, RequiredRole.CODER)).isEqualTo(429);
    }

    @Test
    void guessingTokensIsRateLimited() {
        AccessControl access = access(false, 1);
        for (int i = 0; i < 4; i++) {
            assertThat(rejectedStatus(access, "Bearer guess" + i, RequiredRole.CODER))
                    .isEqualTo(401);
        }
        assertThat(rejectedStatus(access, "Bearer guess", RequiredRole.CODER)).isEqualTo(429);
    }

    @Test
    void secretsAreRandomAndStoredAsHashes() {
        String secret = TokenSecret.generate();
        assertThat(secret).matches("plant_[A-Za-z0-9_-]{43}").isNotEqualTo(TokenSecret.generate());
        // printf abc | sha256sum
        assertThat(TokenSecret.hash("abc"))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
