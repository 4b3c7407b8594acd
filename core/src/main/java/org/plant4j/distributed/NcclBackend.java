package org.plant4j.distributed;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.stream.LongStream;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.Backend;
import org.bytedeco.pytorch.PrefixStore;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.nccl.ProcessGroupNCCL;
import org.plant4j.UserError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** NCCL for groups in which every process has its own GPU. */
final class NcclBackend implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NcclBackend.class);

    private final PrefixStore store; // NCCL does not hold it: it must outlive the backend
    private final ProcessGroupNCCL nccl;

    private NcclBackend(PrefixStore store, ProcessGroupNCCL nccl) {
        this.store = store;
        this.nccl = nccl;
    }

    /** Opens NCCL if all processes can; all make this call, and all get the same answer. */
    static Optional<NcclBackend> open(GroupSettings settings, Rendezvous rendezvous, ProcessGroup group) {
        boolean allowed = settings.backend() != GroupSettings.Backend.GLOO;
        boolean available = allowed && load(settings);
        if (!available(settings, group, available)) {
            return Optional.empty();
        }
        try (PointerScope scope = new PointerScope()) {
            ProcessGroupNCCL.Options options = ProcessGroupNCCL.Options.create();
            options.timeout(new Milliseconds(settings.timeout().toMillis()));
            PrefixStore store = rendezvous.store(settings.attempt() + "-nccl");
            ProcessGroupNCCL nccl = new ProcessGroupNCCL(store, settings.rank(), settings.size(), options);
            nccl.retainReference();
            return Optional.of(new NcclBackend(store, nccl));
        }
    }

    Backend nccl() {
        return nccl;
    }

    @Override
    public void close() {
        nccl.close();
        store.close();
    }

    private static boolean load(GroupSettings settings) {
        try {
            GroupLibraries.requireNccl();
            return true;
        } catch (UserError e) {
            if (settings.backend() == GroupSettings.Backend.NCCL) {
                throw e;
            }
            LOG.debug("NCCL is not available", e);
            return false;
        }
    }

    /** NCCL does not let two processes share a GPU. */
    private static boolean available(GroupSettings settings, ProcessGroup group, boolean available) {
        try (PointerScope scope = new PointerScope()) {
            long[] devices = new long[settings.size()];
            devices[settings.rank()] = available ? device().hashCode() | 1L << 32 : 0;
            Tensor all = Tensor.create(devices);
            group.sum(all);
            new LongPointer(all.data_ptr_long()).get(devices);
            boolean shared = LongStream.of(devices).distinct().count() < devices.length;
            if (shared && settings.backend() == GroupSettings.Backend.NCCL) {
                throw new UserError(
                        "Two processes share a GPU, which NCCL does not support",
                        "--backend nccl",
                        "give each process its own with CUDA_VISIBLE_DEVICES, or use --backend gloo");
            }
            return !shared && LongStream.of(devices).noneMatch(device -> device == 0);
        }
    }

    /** The GPU of this process, which uses the first one that it sees. */
    private static String device() {
        String visible =
                Optional.ofNullable(System.getenv("CUDA_VISIBLE_DEVICES")).orElse("0");
        try {
            return InetAddress.getLocalHost().getHostName() + "/" + visible.split(",", -1)[0].strip();
        } catch (UnknownHostException e) {
            return "localhost/" + visible;
        }
    }
}
