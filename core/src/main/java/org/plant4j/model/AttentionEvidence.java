package org.plant4j.model;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Segments;

/** Which tokens speak for labels in a network; as many labels are looked at together as fit into memory. */
public record AttentionEvidence(LabelNetwork network) {

    /** For each of the labels one weight a token. */
    float[][] compute(int[] document, int[] labels) {
        float[][] weights = new float[labels.length][document.length];
        if (labels.length == 0 || document.length == 0) {
            return weights; // a document without a word has no token to point at
        }
        Compute compute = network.compute();
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = compute.autocast()) {
            Segments segments =
                    new Segments(List.of(network.inReadingOrder(document)), network.segmentLength(), false, compute);
            EncoderState memory = EncoderState.EMPTY;
            for (int i = 0; i < segments.count(); i++) {
                try (PointerScope segmentScope = new PointerScope();
                        EncoderState before = memory) {
                    Batch segment = segments.get(i);
                    EncodedDocuments encoding = network.encode(segment, before);
                    float[][] here = weights(segment, encoding, labels)[0];
                    for (int label = 0; label < here.length; label++) {
                        System.arraycopy(
                                here[label], 0, weights[label], i * network.segmentLength(), here[label].length);
                    }
                    memory = encoding.nextState().detached();
                }
            }
            memory.close();
        }
        return Arrays.stream(weights).map(this::normalizedInTextOrder).toArray(float[][]::new);
    }

    /** Documents that are read at once, each with labels of its own, unless one of them has more than a segment or nothing. */
    float[][][] compute(List<int[]> documents, List<int[]> labels) {
        boolean whole = documents.stream()
                .allMatch(document -> document.length > 0 && document.length <= network.segmentLength());
        return whole
                ? computeBatch(documents, labels)
                : IntStream.range(0, documents.size())
                        .mapToObj(i -> compute(documents.get(i), labels.get(i)))
                        .toArray(float[][][]::new);
    }

    /** Documents of one segment each, read once for all labels that any of them asks for. */
    private float[][][] computeBatch(List<int[]> documents, List<int[]> labels) {
        int[] union =
                labels.stream().flatMapToInt(Arrays::stream).distinct().sorted().toArray();
        if (union.length == 0) {
            return new float[documents.size()][0][];
        }
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = network.compute().autocast()) {
            Batch batch =
                    Batch.of(documents.stream().map(network::inReadingOrder).toList(), network.compute());
            float[][][] weights = weights(batch, network.encode(batch, EncoderState.EMPTY), union);
            return IntStream.range(0, weights.length)
                    .mapToObj(i -> Arrays.stream(labels.get(i))
                            .mapToObj(label -> weights[i][Arrays.binarySearch(union, label)])
                            .map(padded -> normalizedInTextOrder(Arrays.copyOf(padded, documents.get(i).length)))
                            .toArray(float[][]::new))
                    .toArray(float[][][]::new);
        }
    }

    /** What the network says of each document, label and padded token. */
    private float[][][] weights(Batch batch, EncodedDocuments encoding, int[] labels) {
        float[][][] weights = new float[batch.lengths().length][labels.length][];
        int first = 0;
        for (int[] some : network.labelChunks(labels, network.paddedTokens(batch))) {
            try (PointerScope scope = new PointerScope()) {
                Tensor attention = network.evidenceWeights(batch, encoding, network.selection(some))
                        .transpose(1, 2) // (B, L, T)
                        .to(torch.ScalarType.Float);
                for (int row = 0; row < weights.length; row++) {
                    float[][] here = LabelNetwork.toArrays(attention.select(0, row));
                    System.arraycopy(here, 0, weights[row], first, here.length);
                }
            }
            first += some.length;
        }
        return weights;
    }

    /** The weights in the order of the document's text, which is not always that of reading. */
    private float[] normalizedInTextOrder(float[] weights) {
        for (int i = 0, j = weights.length - 1; i < j && network.readsBackward(); i++, j--) {
            float last = weights[j];
            weights[j] = weights[i];
            weights[i] = last;
        }
        normalize(weights);
        return weights;
    }

    /** Makes weights sum to 1, unless all of them are 0. */
    public static void normalize(float[] weights) {
        double sum = 0;
        for (float weight : weights) {
            sum += weight;
        }
        for (int i = 0; i < weights.length && sum > 0; i++) {
            weights[i] /= (float) sum;
        }
    }
}
