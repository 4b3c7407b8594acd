package org.plant4j.model.description;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelHead;
import org.plant4j.tensor.LabelSelection;

/**
 * Encoded description tokens as the decoder uses them: (L, M, d + d + 1), the concatenation of each token's query,
 * value and weight.
 */
record DescriptionQueries(Tensor tensor, int size) {

    static Tensor concatenate(Tensor queries, Tensor values, Tensor tokenWeights) {
        return torch.cat(new TensorVector(queries, values, tokenWeights), -1);
    }

    DescriptionQueries select(LabelSelection labels) {
        return new DescriptionQueries(labels.select(tensor), size);
    }

    /** (L · M, d). */
    Tensor queries() {
        return tensor.narrow(2, 0, size).flatten(0, 1);
    }

    /** (L · M, d). */
    Tensor values() {
        return tensor.narrow(2, size, size).flatten(0, 1);
    }

    /** (L, M). */
    Tensor tokenWeights() {
        return tensor.select(2, 2L * size);
    }

    /** Attention of each description token over the window tokens, given their keys (N, T, d): (N, T, L · M). */
    private Tensor attention(Tensor keys, Tensor mask) {
        return LabelAttention.maskedSoftmax(torch.matmul(keys, queries().t()), mask);
    }

    /** The weighted contribution of each description token to the logit of each window: (N, L, M). */
    Tensor logitsPerDescriptionToken(Tensor keys, Tensor values, Tensor mask) {
        Tensor logits = LabelHead.logits(values, attention(keys, mask), values());
        return logits.view(logits.size(0), tensor.size(0), tensor.size(1)).mul(tokenWeights());
    }

    /** The contribution of each window token to the logit, summed over description tokens: (N, T, L). */
    Tensor logitsPerDocumentToken(Tensor keys, Tensor values, Tensor mask) {
        Tensor tokenLogits = torch.matmul(values, values().t());
        return attention(keys, mask)
                .mul(tokenLogits)
                .view(tokenLogits.size(0), tokenLogits.size(1), tensor.size(0), tensor.size(1))
                .mul(tokenWeights())
                .sum(-1L);
    }

    /** Attention over the window tokens, averaged over description tokens by their weights: (N, T, L). */
    Tensor meanAttention(Tensor keys, Tensor mask) {
        Tensor attention = attention(keys, mask);
        return attention
                .view(attention.size(0), attention.size(1), tensor.size(0), tensor.size(1))
                .mul(tokenWeights())
                .sum(-1L);
    }
}
