package org.plant4j.layer;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Vocabulary;

/** A vector for each word; padding is zero and stays zero, so that it changes nothing downstream. */
public final class Embedding extends Layer {

    private final Tensor weight; // (V, E)

    public Embedding(int vocabulary, int size, Compute compute) {
        weight = parameter("weight", compute, Embedding::draw, vocabulary, size);
    }

    private static void draw(Tensor weight) {
        Init.normal(0.1).fill(weight);
        weight.select(0, Vocabulary.PADDING).zero_();
    }

    /** Brings padding back to zero, where weights from elsewhere gave it a vector. */
    public void clearPadding() {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            weight.select(0, Vocabulary.PADDING).zero_();
        }
    }

    /** (B, T) to (B, T, E). */
    public Tensor forward(Tensor tokens) {
        return torch.embedding(weight, tokens, Vocabulary.PADDING, false, false);
    }

    /** Puts given vectors in place of the drawn ones, row by row; all-zero rows keep what was drawn. */
    public void setVectors(float[][] vectors) {
        long rows = weight.size(0);
        long size = weight.size(1);
        if (vectors.length != rows || vectors[0].length != size) {
            throw new IllegalArgumentException("word vectors: (" + vectors.length + ", " + vectors[0].length
                    + ") (expected: (" + rows + ", " + size + "))");
        }
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            for (int row = Vocabulary.UNKNOWN; row < rows; row++) {
                boolean known = false;
                for (float value : vectors[row]) {
                    known |= value != 0;
                }
                if (known) {
                    weight.select(0, row).copy_(Tensor.create(vectors[row]));
                }
            }
        }
    }
}
