package org.plant4j.models;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.nn.LabelAttention;
import org.plant4j.nn.LabelHead;
import org.plant4j.nn.SomeLabels;

/**
 * The words of labels' descriptions on the side of the decoder: what each looks for in a note, what it says where it finds
 * it, and how much it counts, side by side as (L, M, d + d + 1).
 */
record SaidWords(Tensor all, int size) {

    static Tensor joined(Tensor sought, Tensor said, Tensor shares) {
        return torch.cat(new TensorVector(sought, said, shares), -1);
    }

    SaidWords of(SomeLabels some) {
        return new SaidWords(some.of(all), size);
    }

    /** (L · M, d). */
    private Tensor sought() {
        return all.narrow(2, 0, size).flatten(0, 1);
    }

    /** (L · M, d). */
    private Tensor said() {
        return all.narrow(2, size, size).flatten(0, 1);
    }

    /** (L, M). */
    private Tensor shares() {
        return all.select(2, 2L * size);
    }

    /** For each word a distribution over the windows' words, by their keys (N, T, d): (N, T, L · M). */
    private Tensor attention(Tensor keys, Tensor mask) {
        return LabelAttention.distribution(torch.matmul(keys, sought().t()), mask);
    }

    /** What each word says in each window, as much as it counts: (N, L, M). */
    Tensor byWord(Tensor keys, Tensor values, Tensor mask) {
        Tensor words = LabelHead.said(values, attention(keys, mask), said());
        return words.view(words.size(0), all.size(0), all.size(1)).mul(shares());
    }

    /** What all say together of each of the windows' words: (N, T, L). */
    Tensor byToken(Tensor keys, Tensor values, Tensor mask) {
        Tensor votes = torch.matmul(values, said().t());
        return attention(keys, mask)
                .mul(votes)
                .view(votes.size(0), votes.size(1), all.size(0), all.size(1))
                .mul(shares())
                .sum(-1L);
    }
}
