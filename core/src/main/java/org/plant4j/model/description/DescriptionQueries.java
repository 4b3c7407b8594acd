package org.plant4j.model.description;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelHead;
import org.plant4j.tensor.LabelSelection;

/**
 * The words of labels' descriptions on the side of the decoder: what each looks for in a note, what it says where it finds
 * it, and how much it counts, side by side as (L, M, d + d + 1).
 */
public record DescriptionQueries(Tensor tensor, int size) {

    static Tensor concatenate(Tensor sought, Tensor said, Tensor shares) {
        return torch.cat(new TensorVector(sought, said, shares), -1);
    }

    DescriptionQueries select(LabelSelection some) {
        return new DescriptionQueries(some.select(tensor), size);
    }

    /** (L · M, d). */
    private Tensor queries() {
        return tensor.narrow(2, 0, size).flatten(0, 1);
    }

    /** (L · M, d). */
    private Tensor values() {
        return tensor.narrow(2, size, size).flatten(0, 1);
    }

    /** (L, M). */
    private Tensor tokenWeights() {
        return tensor.select(2, 2L * size);
    }

    /** For each word a distribution over the windows' words, by their keys (N, T, d): (N, T, L · M). */
    private Tensor attention(Tensor keys, Tensor mask) {
        return LabelAttention.maskedSoftmax(torch.matmul(keys, queries().t()), mask);
    }

    /** What each word says in each window, as much as it counts: (N, L, M). */
    Tensor logitsPerDescriptionToken(Tensor keys, Tensor values, Tensor mask) {
        Tensor words = LabelHead.logits(values, attention(keys, mask), values());
        return words.view(words.size(0), tensor.size(0), tensor.size(1)).mul(tokenWeights());
    }

    /** What all say together of each of the windows' words: (N, T, L). */
    Tensor logitsPerDocumentToken(Tensor keys, Tensor values, Tensor mask) {
        Tensor votes = torch.matmul(values, values().t());
        return attention(keys, mask)
                .mul(votes)
                .view(votes.size(0), votes.size(1), tensor.size(0), tensor.size(1))
                .mul(tokenWeights())
                .sum(-1L);
    }
}
