package org.plant4j.models;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Memory;
import org.plant4j.nn.Segments;
import org.plant4j.nn.SomeLabels;

/**
 * A batch's gradients, label range by label range: documents are read once, the ranges leave their gradients where
 * reading ended, and these go back through the encoder together. So memory is bounded whatever the number of labels.
 */
record RangeLearning(LabelNetwork network, Loss loss) {

    Tensor learn(Segments segments, Tensor targets) {
        Compute compute = network.compute();
        int early = segments.before(network.window());
        List<Batch> late = segments.from(early).mapToObj(segments::get).toList();
        Tensor before = torch.zeros_like(targets);
        List<Encoding> read;
        try (Compute.Autocast autocast = compute.autocast();
                Memory memory = heard(segments, early, before)) {
            read = read(late, memory);
        }
        List<Encoding> leaves = read.stream().map(Encoding::leaves).toList();
        Tensor positiveWeight = loss.positiveWeight(targets);
        Tensor sum = torch.zeros(new long[] {}, compute.floats());
        for (SomeLabels some : network.ranges(network.learned(), tokens(late))) {
            try (PointerScope scope = new PointerScope()) {
                Tensor value = learn(
                        late,
                        leaves,
                        LabelNetwork.part(before, some),
                        some,
                        logits -> loss.of(logits, LabelNetwork.part(targets, some), positiveWeight));
                try (NoGradGuard noGrad = new NoGradGuard()) {
                    sum.add_(value);
                }
            }
        }
        Encoding.backward(read, leaves);
        return sum;
    }

    /** One range: the loss and its gradient by the logits are small, and known before the way back begins. */
    private Tensor learn(
            List<Batch> late, List<Encoding> leaves, Tensor before, SomeLabels some, UnaryOperator<Tensor> lossOf) {
        List<Decoded> decoded = IntStream.range(0, late.size())
                .mapToObj(i -> network.decoded(late.get(i), leaves.get(i), some))
                .toList();
        Tensor logits = before.clone();
        try (NoGradGuard noGrad = new NoGradGuard()) {
            for (int i = 0; i < decoded.size(); i++) {
                logits.add_(network.present(late.get(i), decoded.get(i).logits()));
            }
        }
        logits.set_requires_grad(true);
        Tensor value = lossOf.apply(logits.add(network.bias(leaves.get(0), some)));
        value.backward();
        for (int i = 0; i < decoded.size(); i++) {
            decoded.get(i).backward(network.present(late.get(i), logits.grad()));
        }
        return value;
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
            read.add(network.encodeToLearn(
                    segment, read.isEmpty() ? before : read.get(read.size() - 1).after()));
        }
        return read;
    }

    private static long tokens(List<Batch> segments) {
        return segments.stream().mapToLong(segment -> segment.tokens().numel()).sum();
    }
}
