package org.plant4j.app.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.plant4j.app.review.Role;

class AccessTest {

    private static final long SECOND = 1_000_000_000L;

    private final MemoryTokens tokens = new MemoryTokens();
    private long now;

    private Access access(boolean loopback, int perSecond) {
        return new Access(tokens, loopback, perSecond, () -> now);
    }

    private static int refused(Access access, String authorization, Need need) {
        return catchThrowableOfType(Problem.class, () -> access.admit(Optional.of(authorization), "10.0.0.1", need))
                .status();
    }

    @Test
    void onLoopbackWithoutTokensEverybodyIsLocal() {
        assertThat(access(true, 0).admit(Optional.empty(), "127.0.0.1", Need.ADMIN))
                .isEqualTo(Bearer.LOCAL);
    }

    @Test
    void beyondLoopbackATokenIsNeeded() {
        Access access = access(false, 0);
        assertThat(refused(access, "", Need.CODER)).isEqualTo(401);
        String secret = tokens.create("maria", Role.CODER);
        Bearer maria = access.admit(Optional.of("Bearer " + secret), "10.0.0.1", Need.CODER);
        assertThat(maria).isEqualTo(new Bearer("maria", Role.CODER));
        assertThat(refused(access, "Bearer " + secret, Need.ADMIN)).isEqualTo(403);
        assertThatCode(() -> access.admit(Optional.empty(), "10.0.0.1", Need.NOTHING))
                .doesNotThrowAnyException();
    }

    @Test
    void aTokenMadeLaterLocksTheDeskAndARevokedOneEndsSoon() {
        Access access = access(true, 0);
        String secret = tokens.create("maria", Role.CODER);
        tokens.create("root", Role.ADMIN);
        now += 4 * SECOND;
        assertThat(refused(access, "", Need.CODER)).isEqualTo(401);
        assertThat(access.admit(Optional.of("Bearer " + secret), "", Need.CODER).name())
                .isEqualTo("maria");
        tokens.revoke("maria", Instant.EPOCH);
        now += 4 * SECOND;
        assertThat(refused(access, "Bearer " + secret, Need.CODER)).isEqualTo(401);
    }

    @Test
    void eachUserHasARateOfTheirOwn() {
        Access access = access(false, 2);
        String maria = "Bearer " + tokens.create("maria", Role.CODER);
        String omar = "Bearer " + tokens.create("omar", Role.CODER);
        for (int i = 0; i < 8; i++) { // four seconds' worth at once
            access.admit(Optional.of(maria), "10.0.0.1", Need.CODER);
        }
        assertThat(refused(access, maria, Need.CODER)).isEqualTo(429);
        access.admit(Optional.of(omar), "10.0.0.1", Need.CODER);
        now += SECOND / 2;
        access.admit(Optional.of(maria), "10.0.0.1", Need.CODER);
        assertThat(refused(access, maria, Need.CODER)).isEqualTo(429);
    }

    @Test
    void guessingTokensIsSlowedDown() {
        Access access = access(false, 1);
        for (int i = 0; i < 4; i++) {
            assertThat(refused(access, "Bearer guess" + i, Need.CODER)).isEqualTo(401);
        }
        assertThat(refused(access, "Bearer guess", Need.CODER)).isEqualTo(429);
    }

    @Test
    void secretsAreLongRandomAndKeptAsHashesOnly() {
        String secret = Secret.create();
        assertThat(secret).matches("plant_[A-Za-z0-9_-]{43}").isNotEqualTo(Secret.create());
        // printf abc | sha256sum
        assertThat(Secret.hash("abc")).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
