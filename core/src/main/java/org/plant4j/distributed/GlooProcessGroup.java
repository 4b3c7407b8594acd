package org.plant4j.distributed;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.AllreduceOptions;
import org.bytedeco.pytorch.Backend;
import org.bytedeco.pytorch.BroadcastOptions;
import org.bytedeco.pytorch.GlooDeviceVector;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.PrefixStore;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.ReduceOp;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;
import org.plant4j.support.ErrorMessages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A group over Gloo. Tensors on a GPU go over NCCL if every process has its own GPU, otherwise through host memory. */
final class GlooProcessGroup implements ProcessGroup {

    private static final Logger LOG = LoggerFactory.getLogger(GlooProcessGroup.class);

    private static final long BUSY = 0;
    private static final long VALUE = 1;
    private static final long FAILED = 2;

    private final GroupSettings settings;
    private final Rendezvous rendezvous;
    private final PrefixStore store; // Gloo does not hold it: it must outlive the group
    private final ProcessGroupGloo gloo;
    private Optional<NcclBackend> gpu = Optional.empty();
    private boolean gpuChosen;

    GlooProcessGroup(GroupSettings settings, Rendezvous rendezvous) {
        this.settings = settings;
        this.rendezvous = rendezvous;
        String address = settings.address().orElseGet(() -> rendezvous.localAddress(settings.rank() == 0));
        try (PointerScope scope = new PointerScope()) {
            ProcessGroupGloo.Options options = ProcessGroupGloo.Options.create(
                    new Milliseconds(settings.timeout().toMillis()));
            options.devices(new GlooDeviceVector(ProcessGroupGloo.createDeviceForHostname(address)));
            store = rendezvous.store(settings.attempt());
            gloo = new ProcessGroupGloo(store, settings.rank(), settings.size(), options);
            gloo.retainReference();
        } catch (RuntimeException e) {
            rendezvous.close();
            throw new PeerFailure(
                    name() + " cannot reach the others at " + rendezvous.address() + ": " + ErrorMessages.firstLine(e),
                    e);
        }
        LOG.info("{} joined at {}, listening on {}", name(), rendezvous.address(), address);
    }

    private String name() {
        return "Process " + settings.rank() + " of " + settings.size();
    }

    @Override
    public int rank() {
        return settings.rank();
    }

    @Override
    public int size() {
        return settings.size();
    }

    @Override
    public void sum(Tensor tensor) {
        exchange(tensor, (backend, tensors) -> {
            AllreduceOptions options = new AllreduceOptions();
            options.reduceOp(new ReduceOp(ReduceOp.RedOpType.SUM));
            return backend.allreduce(tensors, options);
        });
    }

    @Override
    public void broadcast(Tensor tensor) {
        exchange(tensor, (backend, tensors) -> {
            BroadcastOptions options = new BroadcastOptions();
            return backend.broadcast(tensors, options.rootRank(0));
        });
    }

    private interface Collective {
        Work start(Backend backend, TensorVector tensors);
    }

    private void exchange(Tensor tensor, Collective collective) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            if (!tensor.is_cuda()) {
                run(gloo, tensor, collective);
            } else if (gpuBackend().isPresent()) {
                run(gpuBackend().get().nccl(), tensor, collective);
            } else {
                Tensor local = tensor.detach().cpu();
                run(gloo, local, collective);
                tensor.copy_(local);
            }
        }
    }

    private void run(Backend backend, Tensor tensor, Collective collective) {
        try {
            collective.start(backend, new TensorVector(tensor))._wait(); // the tensor must not be used before
        } catch (RuntimeException e) {
            throw new PeerFailure(name() + " lost the connection to another one: " + ErrorMessages.firstLine(e), e);
        }
    }

    /** Chosen by all processes together, at the first exchange of a tensor on a GPU. */
    private Optional<NcclBackend> gpuBackend() {
        if (!gpuChosen) {
            gpu = NcclBackend.open(settings, rendezvous, this);
            gpuChosen = true;
            LOG.info("gradients are exchanged over {}", gpu.isPresent() ? "NCCL" : "Gloo, through host memory");
        }
        return gpu;
    }

    @Override
    public String fromFirst(Supplier<String> computation) {
        return isFirst() ? compute(computation) : receive();
    }

    private String compute(Supplier<String> computation) {
        byte[] value;
        try (Heartbeat heartbeat = new Heartbeat(settings.timeout().dividedBy(4), () -> sendState(BUSY, 0))) {
            value = computation.get().getBytes(StandardCharsets.UTF_8);
            heartbeat.stop();
        } catch (PeerFailure e) {
            throw e;
        } catch (RuntimeException | Error e) {
            tellFailure();
            throw e;
        }
        sendState(VALUE, value.length);
        exchangeBytes(value);
        return new String(value, StandardCharsets.UTF_8);
    }

    private void tellFailure() {
        try {
            sendState(FAILED, 0);
        } catch (PeerFailure e) {
            LOG.debug("nobody left to be told", e);
        }
    }

    private String receive() {
        long[] state = sendState(BUSY, 0);
        while (state[0] == BUSY) {
            state = sendState(BUSY, 0);
        }
        if (state[0] == FAILED) {
            throw new PeerFailure("The first process failed; its output has the cause");
        }
        return new String(exchangeBytes(new byte[Math.toIntExact(state[1])]), StandardCharsets.UTF_8);
    }

    /** Broadcasts a state and the length of the value that follows; returns those of the first process. */
    private long[] sendState(long state, long length) {
        try (PointerScope scope = new PointerScope()) {
            Tensor both = Tensor.create(new long[] {state, length});
            broadcast(both);
            return new long[] {both.select(0, 0).item_long(), both.select(0, 1).item_long()};
        }
    }

    private byte[] exchangeBytes(byte[] bytes) {
        if (bytes.length > 0) { // there is no empty tensor of an array
            try (PointerScope scope = new PointerScope()) {
                Tensor content = Tensor.create(bytes);
                broadcast(content);
                ((ByteBuffer) content.createBuffer()).get(bytes);
            }
        }
        return bytes;
    }

    @Override
    public void close() {
        gpu.ifPresent(NcclBackend::close);
        gloo.close();
        store.close();
        rendezvous.close();
    }
}
