package org.plant4j.encoder;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.WeightDropLstm;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.CudaGraph;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The {@link GraphedLstm}s of an encoder, recorded for batch shapes that recur. */
final class LstmGraphs implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LstmGraphs.class);

    /** In larger batches the GPU is busy anyway. */
    private static final int MAX_DOCUMENTS = 256;

    /** Batches of one shape before a graph is recorded, which takes as long as some ten batches. */
    private static final int MIN_OCCURRENCES = 3;

    /** Each graph keeps the memory of a forward pass; and JavaCPP limits the number of callbacks. */
    private static final int MAX_GRAPHS = 4;

    private final List<WeightDropLstm> lstms;
    private final List<Integer> sizes;
    private final double hiddenDropout;
    private final Compute compute;
    private final Map<Shape, Integer> occurrences = new HashMap<>();
    private final Map<Shape, List<GraphedLstm>> graphs = new HashMap<>();
    private int count;
    private boolean failed;

    private record Shape(long documents, long tokens, boolean autocast, List<Boolean> trainable) {}

    /** {@code sizes} are those of the layers' outputs. */
    LstmGraphs(List<WeightDropLstm> lstms, List<Integer> sizes, double hiddenDropout, Compute compute) {
        this.lstms = lstms;
        this.sizes = sizes;
        this.hiddenDropout = hiddenDropout;
        this.compute = compute;
    }

    /** A graph for a training batch (B, T, E); empty if the layers should run as usual. */
    synchronized Optional<GraphedLstm> find(Tensor embedded) {
        if (failed
                || !compute.cuda()
                || !compute.gpuOptions().graphs()
                || !GradMode.is_enabled()
                || embedded.size(0) > MAX_DOCUMENTS) {
            return Optional.empty();
        }
        Shape shape = shape(embedded);
        List<GraphedLstm> recorded = graphs.computeIfAbsent(shape, key -> new ArrayList<>());
        Optional<GraphedLstm> free =
                recorded.stream().filter(graph -> !graph.isBusy()).findFirst();
        boolean frequent = occurrences.merge(shape, 1, Integer::sum) > MIN_OCCURRENCES;
        return free.isPresent() || count >= MAX_GRAPHS || !frequent ? free : record(embedded, recorded);
    }

    /** The number of recorded graphs. */
    synchronized int count() {
        return count;
    }

    private Shape shape(Tensor embedded) {
        List<Boolean> trainable = lstms.stream()
                .flatMap(lstm -> lstm.parameters().values().stream())
                .map(Tensor::requires_grad)
                .toList();
        return new Shape(
                embedded.size(0), embedded.size(1), torch.is_autocast_enabled(torch.DeviceType.CUDA), trainable);
    }

    private Optional<GraphedLstm> record(Tensor embedded, List<GraphedLstm> recorded) {
        try {
            GraphedLstm graph = new GraphedLstm(lstms, sizes, hiddenDropout, embedded, compute, CudaGraph::capture);
            recorded.add(graph);
            count++;
            return Optional.of(graph);
        } catch (LinkageError | RuntimeException e) {
            LOG.warn("no CUDA graphs of LSTM layers, kernels are launched one by one: {}", e.toString());
            failed = true;
            return Optional.empty();
        }
    }

    @Override
    public synchronized void close() {
        graphs.values().stream().flatMap(List::stream).forEach(GraphedLstm::close);
        graphs.clear();
    }
}
