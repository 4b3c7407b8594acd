package org.plant4j.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.AutoGradMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.TokenOccurrences;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;

/**
 * What each token of a document adds to the logits of labels, by gradients with respect to its embeddings. The document
 * is repeated in a batch, once per label and step, which is faster than one backward pass after another.
 */
final class InputGradients<E extends Encoding<E>> {

    /** Points of the midpoint rule that integrates gradients. */
    static final int STEPS = 16;

    /** Tokens per batch, whose activations are all kept for the backward pass. */
    private static final int MAX_BATCH_TOKENS = 8192;

    private final LabelNetwork<E> network;

    /** A copy of the document whose embeddings are multiplied by {@code scale}, for one label. */
    private record Row(int label, float scale) {}

    InputGradients(LabelNetwork<E> network) {
        this.network = network;
    }

    /** Gradient times input at the document itself: (labels, tokens). */
    double[][] atInput(int[] document, int[] labels) {
        return mean(document, labels, new float[] {1});
    }

    /** Gradient times input, averaged over the line from the padding embedding to the document: (labels, tokens). */
    double[][] integrated(int[] document, int[] labels) {
        return integrated(document, labels, STEPS);
    }

    double[][] integrated(int[] document, int[] labels, int steps) {
        float[] scales = new float[steps];
        for (int step = 0; step < steps; step++) {
            scales[step] = (step + 0.5f) / steps;
        }
        return mean(document, labels, scales);
    }

    private double[][] mean(int[] document, int[] labels, float[] scales) {
        double[][] attributions = new double[labels.length][document.length];
        if (document.length == 0) {
            return attributions;
        }
        int[] rowLabels = IntStream.range(0, labels.length * scales.length)
                .map(row -> row / scales.length)
                .toArray();
        int size = Math.max(1, MAX_BATCH_TOKENS / Math.max(network.minTokensPerDocument(), document.length));
        for (int first = 0; first < rowLabels.length; first += size) {
            List<Row> rows = new ArrayList<>();
            for (int row = first; row < Math.min(rowLabels.length, first + size); row++) {
                rows.add(new Row(labels[rowLabels[row]], scales[row % scales.length]));
            }
            float[][] gradients = gradientTimesInput(document, rows);
            for (int i = 0; i < gradients.length; i++) {
                double[] sum = attributions[rowLabels[first + i]];
                for (int t = 0; t < sum.length; t++) {
                    sum[t] += gradients[i][t] / (double) scales.length;
                }
            }
        }
        return attributions;
    }

    /** (rows, tokens). */
    private float[][] gradientTimesInput(int[] document, List<Row> rows) {
        float[] scales = new float[rows.size()];
        for (int i = 0; i < scales.length; i++) {
            scales[i] = rows.get(i).scale();
        }
        try (PointerScope scope = new PointerScope();
                AutoGradMode gradients = new AutoGradMode(true);
                TokenOccurrences occurrences =
                        new TokenOccurrences(Collections.nCopies(rows.size(), document), scales, network.compute())) {
            int[] labels = rows.stream().mapToInt(Row::label).toArray();
            Tensor logits = logits(occurrences.documents(), network.selection(labels)); // (rows, rows)
            return LabelNetwork.toArrays(
                    occurrences.gradientTimesInput(logits.diagonal().sum()).view(rows.size(), document.length));
        }
    }

    /** Logits of documents without the bias, recorded by autograd over all segments. */
    private Tensor logits(List<int[]> documents, LabelSelection labels) {
        Segments segments = new Segments(
                documents.stream().map(network::inReadingOrder).toList(),
                network.segmentLength(),
                false,
                network.compute());
        try (Compute.Autocast autocast = network.compute().autocast()) {
            EncoderState state = EncoderState.EMPTY;
            Tensor sum = torch.zeros(new long[] {}, network.compute().floatOptions());
            for (int i = 0; i < segments.count(); i++) {
                Batch segment = segments.get(i);
                E encoding = network.encode(segment, state);
                sum = sum.add(network.maskAbsentDocuments(segment, network.decode(segment, encoding, labels)));
                state = encoding.nextState();
            }
            return sum;
        }
    }
}
