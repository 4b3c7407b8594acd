package org.plant4j.cli.process;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.plant4j.UserError;
import org.plant4j.distributed.GroupSettings;
import org.plant4j.distributed.ProcessGroup;
import org.plant4j.distributed.SingleProcess;
import picocli.CommandLine.Option;

/** The options of commands that train across processes. */
public final class GroupOptions {

    public static final String PROCESSES = "--processes";

    @Option(
            names = PROCESSES,
            paramLabel = "N",
            defaultValue = "1",
            description = "Train with this many processes on this machine (default: ${DEFAULT-VALUE}).")
    private int processes = 1;

    @Option(
            names = "--rank",
            paramLabel = "R",
            description = "Number of this process, from 0, if you start each process yourself.")
    private Optional<Integer> rank = Optional.empty();

    @Option(names = "--size", paramLabel = "N", description = "Number of processes that you start.")
    private Optional<Integer> size = Optional.empty();

    @Option(
            names = "--rendezvous",
            paramLabel = "ADDRESS",
            description = "Where the processes meet: file:PATH, new for each start, or tcp://HOST:PORT of rank 0.")
    private Optional<String> rendezvous = Optional.empty();

    @Option(
            names = "--address",
            paramLabel = "IP",
            description = "Address of this machine for the other processes (default: the one that leads to rank 0).")
    private Optional<String> address = Optional.empty();

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            defaultValue = "auto",
            description =
                    "Exchange gradients on GPUs over nccl or gloo (default: nccl if each process has its own GPU).")
    private String backend = "auto";

    /** The number of processes that this command starts; 1 if it trains itself. */
    public int processes() {
        if (processes < 1) {
            throw new UserError("There must be at least 1 process", PROCESSES + " " + processes, "give 1 or more");
        }
        if (processes > 1 && rank.isPresent()) {
            throw new UserError(
                    "--processes starts all processes, --rank is one of them", PROCESSES, "give one of the two");
        }
        return processes;
    }

    /** Waits for the other processes; a group of one without {@code --rank}. */
    public ProcessGroup join() {
        if (rank.isEmpty() && size.isEmpty() && rendezvous.isEmpty()) {
            return SingleProcess.INSTANCE;
        }
        if (rank.isEmpty() || size.isEmpty() || rendezvous.isEmpty()) {
            throw new UserError(
                    "An option is missing", "plant run", "give all of --rank, --size and --rendezvous, or none");
        }
        GroupSettings settings = GroupSettings.of(rank.get(), size.get()).withBackend(backend());
        return address.map(settings::withAddress).orElse(settings).join(rendezvous.get());
    }

    private GroupSettings.Backend backend() {
        try {
            return GroupSettings.Backend.valueOf(backend.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new UserError("Unknown backend '" + backend + "'", "--backend", "use auto, gloo or nccl", e);
        }
    }

    /** The options of one of the processes that this command starts. */
    static List<String> member(int rank, int size, String rendezvous) {
        return List.of("--rank", Integer.toString(rank), "--size", Integer.toString(size), "--rendezvous", rendezvous);
    }
}
