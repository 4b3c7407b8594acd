package org.plant4j.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.plant4j.tensor.Golden.values;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.UserError;
import org.plant4j.tensor.Engine;

@EnabledOnOs(OS.LINUX) // Gloo's bindings exist for Linux only
class ProcessGroupTest {

    @TempDir
    private Path directory;

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    @Test
    void aSumIsTheSameInAllProcesses() {
        List<double[]> sums = LocalGroup.run(3, group -> {
            try (PointerScope scope = new PointerScope()) {
                Tensor tensor = Tensor.create(new float[] {group.rank() + 1, 10 * group.rank()});
                group.sum(tensor);
                return values(tensor);
            }
        });
        assertThat(sums)
                .allSatisfy(sum -> assertThat(sum).containsExactly(6, 30))
                .hasSize(3);
    }

    @Test
    void theFirstProcessBroadcastsItsTensorAndItsText() {
        List<String> received = LocalGroup.run(2, group -> {
            try (PointerScope scope = new PointerScope()) {
                Tensor tensor = Tensor.create(new float[] {7 - group.rank()});
                group.broadcast(tensor);
                String text = group.fromFirst(() -> "grüße from " + group.rank());
                return text + " " + values(tensor)[0] + group.fromFirst(() -> "") + group.decide(group::isFirst);
            }
        });
        assertThat(received).containsExactly("grüße from 0 7.0true", "grüße from 0 7.0true");
    }

    @Test
    void onlyTheFirstProcessComputes() {
        List<Boolean> computed =
                LocalGroup.run(2, group -> group.onFirst(() -> "value").isPresent());
        assertThat(computed).containsExactly(true, false);
    }

    @Test
    void aFailureOfTheFirstProcessReachesTheOthers() {
        List<Future<String>> members = LocalGroup.start(
                2,
                group -> group.fromFirst(() -> {
                    throw new UserError("no corpus", "here", "add one");
                }));
        assertThatThrownBy(members.get(0)::get).hasCauseInstanceOf(UserError.class);
        assertThatThrownBy(members.get(1)::get)
                .hasCauseInstanceOf(PeerFailure.class)
                .hasMessageContaining("The first process failed");
    }

    @Test
    void aProcessThatLeavesEndsTheCallsOfTheOthers() {
        List<Future<String>> members = LocalGroup.start(2, group -> {
            try (PointerScope scope = new PointerScope()) {
                if (group.isFirst()) {
                    group.sum(Tensor.create(new float[] {1})); // the other one has left or will leave
                }
                return "";
            }
        });
        assertThatThrownBy(members.get(0)::get)
                .hasCauseInstanceOf(PeerFailure.class)
                .hasMessageContaining("Process 0 of 2 lost the connection");
    }

    @Test
    void anAbsentProcessIsReportedAfterTheTimeout() {
        GroupSettings settings = GroupSettings.of(0, 2).withTimeout(Duration.ofMillis(200));
        assertThatThrownBy(() -> settings.join("file:" + directory.resolve("store")))
                .isInstanceOf(PeerFailure.class)
                .hasMessageContaining("Process 0 of 2 cannot reach the others");
    }

    @Test
    void aServerOfTheFirstProcessIsARendezvous() {
        try (Rendezvous server = Rendezvous.listen("127.0.0.1", 0, Duration.ofSeconds(20));
                Rendezvous client = Rendezvous.open(server.address(), 1, 2, Duration.ofSeconds(20))) {
            assertThat(server.address()).matches("tcp://127.0.0.1:[0-9]+").isEqualTo(client.address());
            assertThat(server.localAddress(true))
                    .isEqualTo(client.localAddress(false))
                    .isEqualTo("127.0.0.1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host:1", "tcp://host", "udp://host:1", "tcp://a b:1"})
    void anInvalidRendezvousIsAUserError(String address) {
        assertThatThrownBy(() -> GroupSettings.of(0, 2).join(address))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Not a rendezvous: '" + address + "'");
    }

    @Test
    void aHeartbeatBeatsUntilItIsStopped() throws InterruptedException {
        CountDownLatch beats = new CountDownLatch(3);
        try (Heartbeat heartbeat = new Heartbeat(Duration.ofMillis(1), beats::countDown)) {
            assertThat(beats.await(10, TimeUnit.SECONDS)).isTrue();
            heartbeat.stop();
        }
    }

    @Test
    void aFailedHeartbeatIsReportedWhenItStops() throws InterruptedException {
        CountDownLatch called = new CountDownLatch(1);
        Runnable failing = () -> {
            called.countDown();
            throw new PeerFailure("gone");
        };
        try (Heartbeat heartbeat = new Heartbeat(Duration.ofMillis(1), failing)) {
            assertThat(called.await(10, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(heartbeat::stop).isInstanceOf(PeerFailure.class).hasMessage("gone");
        }
    }
}
