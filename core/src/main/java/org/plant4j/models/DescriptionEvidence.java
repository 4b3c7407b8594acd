package org.plant4j.models;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Memory;
import org.plant4j.nn.SomeLabels;

/** Which words of labels' descriptions speak for them, in the window of a document that says most. */
record DescriptionEvidence(DescriptionAttention network) {

    /** For each of the labels one weight a word. */
    List<float[]> of(int[] document, int[] labels) {
        if (labels.length == 0) {
            return List.of();
        }
        List<float[]> evidence = new ArrayList<>();
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = network.compute().autocast()) {
            Batch batch = Batch.of(List.of(document), network.compute());
            Encoding encoding = network.encode(batch, Memory.NONE);
            for (int[] some : network.portions(labels, network.room(batch))) {
                evidence.addAll(of(batch, encoding, some));
            }
        }
        return evidence;
    }

    private List<float[]> of(Batch batch, Encoding encoding, int[] labels) {
        try (PointerScope scope = new PointerScope()) {
            SomeLabels asked = network.asked(labels);
            Tensor speakers =
                    DescriptionAttention.speakers(network.windowLogits(batch, encoding, asked), encoding); // (1, L)
            Tensor said = network.said(encoding, asked).clamp_min(new Scalar(0)); // (N, L, M)
            Tensor row = speakers.unsqueeze(-1).expand(1, said.size(1), said.size(2));
            float[][] weights =
                    LabelNetwork.rows(said.gather(0, row).select(0, 0).to(torch.ScalarType.Float));
            return IntStream.range(0, weights.length)
                    .mapToObj(i -> share(weights[i], network.descriptions().get(labels[i]).length))
                    .toList();
        }
    }

    /** Of a description's own words alone. */
    private static float[] share(float[] padded, int words) {
        float[] weights = Arrays.copyOf(padded, words);
        Evidence.normalize(weights);
        return weights;
    }
}
