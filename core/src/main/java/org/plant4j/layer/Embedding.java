package org.plant4j.layer;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Vocabulary;

/** Token embedding. The vector of the padding token is zero and receives no gradient. */
public final class Embedding extends Layer {

    private final Tensor weight; // (V, E)

    public Embedding(int vocabularySize, int size, Compute compute) {
        weight = parameter("weight", compute, Embedding::initialize, vocabularySize, size);
    }

    private static void initialize(Tensor weight) {
        Init.normal(0.1).fill(weight);
        weight.select(0, Vocabulary.PADDING).zero_();
    }

    /** Zeroes the vector of the padding token, which imported weights may have set. */
    public void clearPadding() {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            weight.select(0, Vocabulary.PADDING).zero_();
        }
    }

    /** (B, T) to (B, T, E). */
    public Tensor forward(Tensor tokens) {
        return TokenOccurrences.embed(this, weight, tokens);
    }

    /** Replaces the vectors by these (V, E), except where a row is all zero. */
    public void setVectors(float[][] vectors) {
        long rows = weight.size(0);
        long size = weight.size(1);
        Arguments.check(
                vectors.length == rows && vectors[0].length == size,
                "word vectors",
                "(" + vectors.length + ", " + vectors[0].length + ")",
                "(" + rows + ", " + size + ")");
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            for (int row = Vocabulary.UNKNOWN; row < rows; row++) {
                if (isNonZero(vectors[row])) {
                    weight.select(0, row).copy_(Tensor.create(vectors[row]));
                }
            }
        }
    }

    private static boolean isNonZero(float[] vector) {
        for (float value : vector) {
            if (value != 0) {
                return true;
            }
        }
        return false;
    }
}
