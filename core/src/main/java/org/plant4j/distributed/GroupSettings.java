package org.plant4j.distributed;

import java.time.Duration;
import java.util.Optional;
import org.plant4j.support.Arguments;

/**
 * How a process joins its group.
 *
 * @param rank number of the process, from 0
 * @param attempt separates several starts that share one rendezvous
 * @param address the address of this machine that the others reach and this process listens on; found if empty
 * @param timeout after which a silent process counts as lost; must exceed the longest training step
 */
public record GroupSettings(
        int rank, int size, String attempt, Optional<String> address, Backend backend, Duration timeout) {

    /** How gradients on a GPU are exchanged. Gloo copies them to the CPU; NCCL needs one GPU per process. */
    public enum Backend {
        AUTO,
        GLOO,
        NCCL
    }

    public static final Duration TIMEOUT = Duration.ofMinutes(10);

    public GroupSettings {
        Arguments.atLeast(1, "size", size);
        Arguments.atLeast(0, "rank", rank);
        Arguments.check(rank < size, "rank", rank, "less than the size " + size);
    }

    public static GroupSettings of(int rank, int size) {
        return new GroupSettings(rank, size, "group", Optional.empty(), Backend.AUTO, TIMEOUT);
    }

    public GroupSettings withAttempt(String name) {
        return new GroupSettings(rank, size, name, address, backend, timeout);
    }

    public GroupSettings withAddress(String own) {
        return new GroupSettings(rank, size, attempt, Optional.of(own), backend, timeout);
    }

    public GroupSettings withBackend(Backend chosen) {
        return new GroupSettings(rank, size, attempt, address, chosen, timeout);
    }

    public GroupSettings withTimeout(Duration longest) {
        return new GroupSettings(rank, size, attempt, address, backend, longest);
    }

    /** Waits until all processes have joined; {@code rendezvous} is {@code file:PATH} or {@code tcp://HOST:PORT}. */
    public ProcessGroup join(String rendezvous) {
        return join(Rendezvous.open(rendezvous, rank, size, timeout));
    }

    /** Waits until all processes have joined. The group closes the rendezvous. */
    public ProcessGroup join(Rendezvous rendezvous) {
        return new GlooProcessGroup(this, rendezvous);
    }
}
