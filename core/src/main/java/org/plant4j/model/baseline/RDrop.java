package org.plant4j.model.baseline;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.model.Encoding;
import org.plant4j.model.LabelNetwork;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.train.Loss;

/**
 * R-Drop: a batch passes twice through a network with dropout, and besides the mean of both losses, the distance of both
 * outputs is minimized: the Kullback-Leibler divergence of the softmax over labels, in both directions.
 *
 * <p>Liang et al.: R-Drop: Regularized Dropout for Neural Networks, NeurIPS 2021, equations 2 and 3. The divergence needs
 * the logits of all labels at once; they are computed without gradients first, and again in label ranges for the backward
 * pass, so that memory does not grow with the number of labels.
 *
 * @param weight of the divergence
 */
record RDrop(double weight) {

    /** Adds the gradients of two encodings of a batch to the parameters and returns the loss. */
    <E extends Encoding<E>> Tensor computeGradients(
            LabelNetwork<E> network, Batch batch, List<E> passes, Tensor targets, Loss loss) {
        List<E> leaves = passes.stream().map(Encoding::leaves).toList();
        List<LabelSelection> ranges = network.labelRanges(network.trainedLabels(), network.paddedTokens(batch));
        List<Tensor> logits = leaves.stream()
                .map(encoding -> allLogits(network, batch, encoding, ranges))
                .toList();
        Tensor value = loss(network, logits, targets, loss);
        value.backward();
        for (int pass = 0; pass < leaves.size(); pass++) {
            long first = 0;
            for (LabelSelection range : ranges) {
                try (PointerScope scope = new PointerScope()) {
                    int count = range.count(network.trainedLabels());
                    network.decodeWithBackward(batch, leaves.get(pass), range)
                            .backward(logits.get(pass).grad().narrow(1, first, count));
                    first += count;
                }
            }
        }
        Encoding.backward(passes, leaves);
        return value.detach();
    }

    /** The logits (B, L) of a pass without the bias, as a leaf of the autograd graph. */
    private static <E extends Encoding<E>> Tensor allLogits(
            LabelNetwork<E> network, Batch batch, E encoding, List<LabelSelection> ranges) {
        List<Tensor> parts = new ArrayList<>();
        try (NoGradGuard noGrad = new NoGradGuard()) {
            for (LabelSelection range : ranges) {
                parts.add(network.decodeWithBackward(batch, encoding, range)
                        .logits()
                        .to(torch.ScalarType.Float));
            }
            Tensor all = torch.cat(new TensorVector(parts.toArray(Tensor[]::new)), 1);
            all.set_requires_grad(true);
            return all;
        }
    }

    private <E extends Encoding<E>> Tensor loss(
            LabelNetwork<E> network, List<Tensor> logits, Tensor targets, Loss loss) {
        Tensor bias = network.bias().bias(new LabelSelection.Range(0, network.trainedLabels()));
        Tensor first = logits.get(0).add(bias);
        Tensor second = logits.get(1).add(bias);
        Tensor positiveWeight = loss.positiveWeight(targets);
        Tensor mean = Stream.of(first, second)
                .map(pass -> loss.compute(pass, targets, positiveWeight))
                .reduce(Tensor::add)
                .orElseThrow()
                .mul(new Scalar(0.5));
        return mean.add(divergence(first, second).mul(new Scalar(weight / logits.size() / targets.size(0))));
    }

    /** KL(p ‖ q) + KL(q ‖ p) = Σ (p - q) (log p - log q), summed over documents. */
    static Tensor divergence(Tensor first, Tensor second) {
        Tensor p = torch.log_softmax(first, -1);
        Tensor q = torch.log_softmax(second, -1);
        return p.exp().sub(q.exp()).mul(p.sub(q)).sum();
    }
}
