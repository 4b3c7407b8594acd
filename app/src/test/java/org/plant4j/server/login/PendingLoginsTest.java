package org.plant4j.server.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PendingLoginsTest {

    private static final int MAXIMUM = 10_000;

    private long now;
    private final PendingLogins logins = new PendingLogins(() -> now);

    @Test
    void eachCanBeTakenOnceAndInTime() {
        String first = logins.start("/a").state().getValue();
        assertThat(logins.take(first))
                .hasValueSatisfying(login -> assertThat(login.returnPath()).isEqualTo("/a"));
        assertThat(logins.take(first)).isEmpty();
        String late = logins.start("/b").state().getValue();
        now += TimeUnit.MINUTES.toNanos(11);
        assertThat(logins.take(late)).isEmpty();
    }

    @Test
    void aFloodRemovesTheOldestAndNeverRefusesANewOne() {
        List<String> states = new ArrayList<>();
        for (int i = 0; i < MAXIMUM + 5; i++) {
            states.add(logins.start("/").state().getValue());
        }
        assertThat(logins.take(states.get(4))).isEmpty();
        assertThat(logins.take(states.get(5))).isPresent();
        assertThat(logins.take(states.get(MAXIMUM + 4))).isPresent();
    }
}
