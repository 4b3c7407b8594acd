package org.plant4j.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
 * Gradients of a batch, one label range at a time: documents are encoded once, each range adds its gradients to those
 * of the encoding, and these are backpropagated through the encoder in one pass. Memory does not grow with the number
 * of labels.
 */
final class LabelRangeTraining<E extends Encoding<E>> {

    private final LabelNetwork<E> network;
    private final Loss loss;
    private final EvidenceLoss evidenceLoss;
    private final LabelSelection selection;

    /** {@code selection} is all labels or a shortlist; targets have a column for each. */
    LabelRangeTraining(LabelNetwork<E> network, Loss loss, EvidenceLoss evidenceLoss, LabelSelection selection) {
        this.network = network;
        this.loss = loss;
        this.evidenceLoss = evidenceLoss;
        this.selection = selection;
    }

    Tensor computeGradients(Segments segments, Tensor targets) {
        Compute compute = network.compute();
        int earlier = segments.countBefore(network.gradientWindow());
        List<Batch> trained =
                segments.indicesFrom(earlier).mapToObj(segments::get).toList();
        Tensor earlierLogits = torch.zeros_like(targets);
        List<E> encodings;
        try (Compute.Autocast autocast = compute.autocast();
                EncoderState state = accumulateEarlierLogits(segments, earlier, earlierLogits)) {
            encodings = encodeSegments(trained, state);
        }
        List<E> leaves = encodings.stream().map(Encoding::leaves).toList();
        Tensor positiveWeight = loss.positiveWeight(targets);
        Tensor sum = torch.zeros(new long[] {}, compute.floatOptions());
        for (LabelSelection labels : network.labelRanges(selection, targets.size(1), tokens(trained))) {
            try (PointerScope scope = new PointerScope()) {
                Tensor value = computeGradients(
                        trained,
                        leaves,
                        labels.columns(earlierLogits),
                        labels,
                        logits -> loss.compute(logits, labels.columns(targets), positiveWeight));
                try (NoGradGuard noGrad = new NoGradGuard()) {
                    sum.add_(value);
                }
            }
        }
        for (int i = 0; i < trained.size(); i++) {
            Tensor value = evidenceLoss.computeGradients(network, segments, earlier + i, trained.get(i), leaves.get(i));
            try (NoGradGuard noGrad = new NoGradGuard()) {
                sum.add_(value);
            }
        }
        addAuxiliaryLoss(leaves.get(0), targets, sum);
        Encoding.backward(encodings, leaves);
        return sum;
    }

    private void addAuxiliaryLoss(E encoding, Tensor targets, Tensor sum) {
        Optional<Tensor> auxiliary;
        try (Compute.Autocast autocast = network.compute().autocast()) {
            auxiliary = network.auxiliaryLoss(encoding, targets, loss);
        }
        auxiliary.ifPresent(value -> {
            value.backward();
            try (NoGradGuard noGrad = new NoGradGuard()) {
                sum.add_(value);
            }
        });
    }

    /**
     * One range: the gradient of the loss with respect to the logits (B, L) starts the backward pass of each segment.
     */
    private Tensor computeGradients(
            List<Batch> trained,
            List<E> leaves,
            Tensor earlierLogits,
            LabelSelection labels,
            UnaryOperator<Tensor> lossFunction) {
        List<DecodedLogits> decoded = IntStream.range(0, trained.size())
                .mapToObj(i -> network.decodePadded(trained.get(i), leaves.get(i), labels))
                .toList();
        Tensor logits = earlierLogits.clone();
        try (NoGradGuard noGrad = new NoGradGuard()) {
            for (int i = 0; i < decoded.size(); i++) {
                logits.add_(network.maskAbsentDocuments(
                        trained.get(i), decoded.get(i).logits()));
            }
        }
        logits.set_requires_grad(true);
        Tensor value = lossFunction.apply(logits.add(network.bias(leaves.get(0), labels)));
        value.backward();
        for (int i = 0; i < decoded.size(); i++) {
            decoded.get(i).backward(network.maskAbsentDocuments(trained.get(i), logits.grad()));
        }
        return value;
    }

    /** Segments before the gradient window contribute logits and the encoder state, but no gradients. */
    private EncoderState accumulateEarlierLogits(Segments segments, int earlier, Tensor sum) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            return network.accumulateLogits(segments, earlier, selection, sum);
        }
    }

    private List<E> encodeSegments(List<Batch> trained, EncoderState start) {
        List<E> encodings = new ArrayList<>();
        for (Batch segment : trained) {
            encodings.add(network.encodeForTraining(
                    segment,
                    encodings.isEmpty()
                            ? start
                            : encodings.get(encodings.size() - 1).nextState()));
        }
        return encodings;
    }

    private static long tokens(List<Batch> segments) {
        return segments.stream().mapToLong(segment -> segment.tokens().numel()).sum();
    }
}
