package org.plant4j.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;
import org.plant4j.train.Loss;

/**
 * A batch's gradients, label range by label range: documents are read once, the ranges leave their gradients where
 * reading ended, and these go back through the encoder together. So memory is bounded whatever the number of labels.
 */
public record LabelRangeTraining<E extends Encoding<E>>(LabelNetwork<E> network, Loss loss) {

    Tensor computeGradients(Segments segments, Tensor targets) {
        Compute compute = network.compute();
        int early = segments.countBefore(network.gradientWindow());
        List<Batch> late = segments.indicesFrom(early).mapToObj(segments::get).toList();
        Tensor before = torch.zeros_like(targets);
        List<E> read;
        try (Compute.Autocast autocast = compute.autocast();
                EncoderState memory = accumulateEarlierLogits(segments, early, before)) {
            read = encodeSegments(late, memory);
        }
        List<E> leaves = read.stream().map(Encoding::leaves).toList();
        Tensor positiveWeight = loss.positiveWeight(targets);
        Tensor sum = torch.zeros(new long[] {}, compute.floatOptions());
        for (LabelSelection some : network.labelRanges(network.trainedLabels(), tokens(late))) {
            try (PointerScope scope = new PointerScope()) {
                Tensor value = computeGradients(
                        late,
                        leaves,
                        LabelNetwork.columns(before, some),
                        some,
                        logits -> loss.compute(logits, LabelNetwork.columns(targets, some), positiveWeight));
                try (NoGradGuard noGrad = new NoGradGuard()) {
                    sum.add_(value);
                }
            }
        }
        Encoding.backward(read, leaves);
        return sum;
    }

    /** One range: the loss and its gradient by the logits are small, and known before the way back begins. */
    private Tensor computeGradients(
            List<Batch> late, List<E> leaves, Tensor before, LabelSelection some, UnaryOperator<Tensor> lossOf) {
        List<DecodedLogits> decoded = IntStream.range(0, late.size())
                .mapToObj(i -> network.decodeWithBackward(late.get(i), leaves.get(i), some))
                .toList();
        Tensor logits = before.clone();
        try (NoGradGuard noGrad = new NoGradGuard()) {
            for (int i = 0; i < decoded.size(); i++) {
                logits.add_(
                        network.maskAbsentDocuments(late.get(i), decoded.get(i).logits()));
            }
        }
        logits.set_requires_grad(true);
        Tensor value = lossOf.apply(logits.add(network.bias(leaves.get(0), some)));
        value.backward();
        for (int i = 0; i < decoded.size(); i++) {
            decoded.get(i).backward(network.maskAbsentDocuments(late.get(i), logits.grad()));
        }
        return value;
    }

    /** Segments before the window lend their logits and the memory they leave, but learn nothing. */
    private EncoderState accumulateEarlierLogits(Segments segments, int early, Tensor sum) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            return network.accumulateLogits(segments, early, sum);
        }
    }

    private List<E> encodeSegments(List<Batch> late, EncoderState before) {
        List<E> read = new ArrayList<>();
        for (Batch segment : late) {
            read.add(network.encodeForTraining(
                    segment, read.isEmpty() ? before : read.get(read.size() - 1).nextState()));
        }
        return read;
    }

    private static long tokens(List<Batch> segments) {
        return segments.stream().mapToLong(segment -> segment.tokens().numel()).sum();
    }
}
