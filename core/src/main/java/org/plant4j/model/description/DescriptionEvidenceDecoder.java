package org.plant4j.model.description;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.model.AttentionEvidence;
import org.plant4j.model.EncodedDocuments;
import org.plant4j.model.LabelNetwork;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/** Which words of labels' descriptions speak for them, in the window of a document that says most. */
public record DescriptionEvidenceDecoder(DescriptionAttention network) {

    /** For each of the labels one weight a word. */
    List<float[]> compute(int[] document, int[] labels) {
        if (labels.length == 0) {
            return List.of();
        }
        List<float[]> evidence = new ArrayList<>();
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = network.compute().autocast()) {
            Batch batch = Batch.of(List.of(document), network.compute());
            EncodedDocuments encoding = network.encode(batch, EncoderState.EMPTY);
            for (int[] some : network.labelChunks(labels, network.paddedTokens(batch))) {
                evidence.addAll(compute(batch, encoding, some));
            }
        }
        return evidence;
    }

    private List<float[]> compute(Batch batch, EncodedDocuments encoding, int[] labels) {
        try (PointerScope scope = new PointerScope()) {
            LabelSelection asked = network.selection(labels);
            Tensor speakers =
                    DescriptionAttention.bestWindows(network.windowLogits(batch, encoding, asked), encoding); // (1, L)
            Tensor said = network.descriptionLogits(encoding, asked).clamp_min(new Scalar(0)); // (N, L, M)
            Tensor row = speakers.unsqueeze(-1).expand(1, said.size(1), said.size(2));
            float[][] weights =
                    LabelNetwork.toArrays(said.gather(0, row).select(0, 0).to(torch.ScalarType.Float));
            return IntStream.range(0, weights.length)
                    .mapToObj(i -> normalized(weights[i], network.descriptions().get(labels[i]).length))
                    .toList();
        }
    }

    /** Of a description's own words alone. */
    private static float[] normalized(float[] padded, int words) {
        float[] weights = Arrays.copyOf(padded, words);
        AttentionEvidence.normalize(weights);
        return weights;
    }
}
