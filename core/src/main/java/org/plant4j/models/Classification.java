package org.plant4j.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Batches;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Memory;
import org.plant4j.nn.Segments;
import org.plant4j.nn.SomeLabels;
import org.plant4j.train.Objective;
import org.plant4j.train.ParameterGroup;

/**
 * Learning to give documents their labels: binary cross-entropy, summed over labels so that its gradient does not shrink
 * as labels grow many, and averaged over documents.
 */
public final class Classification implements Objective<int[]> {

    private static final long SUM = 2; // at::Reduction::Sum

    private final LabelNetwork network;
    private final Batches batches;
    private final List<ParameterGroup> groups;
    private final Judge judge;
    private int epoch;

    /** Measures the network on dev documents, and keeps it where it was best. */
    public interface Judge {

        /** The epoch is counted over all sessions of a training, so that a resumed one goes on counting. */
        Validation validate(int epoch);

        void keep();
    }

    public Classification(LabelNetwork network, Batches batches, FineTuning tuning, Judge judge) {
        this.network = network;
        this.batches = batches;
        this.groups = tuning.groups(network);
        this.judge = judge;
    }

    @Override
    public Map<String, Tensor> parameters() {
        return network.parameters();
    }

    @Override
    public List<ParameterGroup> groups() {
        return groups;
    }

    @Override
    public List<int[]> epoch(int number) {
        epoch = number;
        return batches.epoch(number);
    }

    @Override
    public Tensor learn(int[] documents) {
        Compute compute = network.compute();
        Segments segments = batches.load(documents, network::read, network.segment(), compute);
        int early = segments.before(network.window());
        List<Batch> late = segments.from(early).mapToObj(segments::get).toList();
        Tensor before = torch.zeros(new long[] {documents.length, network.labels()}, compute.floats());
        List<Encoding> read;
        try (Compute.Autocast autocast = compute.autocast();
                Memory memory = heard(segments, early, before)) {
            read = read(late, memory);
        }
        List<Encoding> leaves = read.stream().map(Encoding::leaves).toList();
        Tensor targets = batches.targets(documents, network.labels(), compute);
        Tensor loss = torch.zeros(new long[] {}, compute.floats());
        for (SomeLabels some : network.ranges(tokens(late))) {
            try (PointerScope scope = new PointerScope()) {
                Tensor part = compute.backward(() -> loss(
                        logits(late, leaves, some).add(LabelNetwork.part(before, some)),
                        LabelNetwork.part(targets, some)));
                try (NoGradGuard noGrad = new NoGradGuard()) {
                    loss.add_(part);
                }
            }
        }
        Encoding.backward(read, leaves);
        return loss;
    }

    /** Segments before the window lend their logits and the memory they leave, but learn nothing. */
    private Memory heard(Segments segments, int early, Tensor sum) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            return network.heard(segments, early, sum);
        }
    }

    private List<Encoding> read(List<Batch> late, Memory before) {
        List<Encoding> read = new ArrayList<>();
        for (Batch segment : late) {
            read.add(network.encode(
                    segment, read.isEmpty() ? before : read.get(read.size() - 1).after()));
        }
        return read;
    }

    private Tensor logits(List<Batch> late, List<Encoding> leaves, SomeLabels some) {
        Tensor sum = network.head().bias(some);
        for (int i = 0; i < late.size(); i++) {
            sum = network.present(late.get(i), network.decode(late.get(i), leaves.get(i), some))
                    .add(sum);
        }
        return sum.to(torch.ScalarType.Float);
    }

    private static Tensor loss(Tensor logits, Tensor targets) {
        TensorOptional none = new TensorOptional();
        return torch.binary_cross_entropy_with_logits(logits, targets, none, none, SUM)
                .div(new Scalar((double) logits.size(0)));
    }

    private static long tokens(List<Batch> segments) {
        return segments.stream().mapToLong(segment -> segment.tokens().numel()).sum();
    }

    @Override
    public Validation validate() {
        return judge.validate(epoch);
    }

    @Override
    public void keep() {
        judge.keep();
    }
}
