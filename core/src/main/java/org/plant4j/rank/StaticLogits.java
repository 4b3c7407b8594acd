package org.plant4j.rank;

import java.nio.FloatBuffer;
import java.util.Arrays;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.TokenOccurrences;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.LabelSelection;

/**
 * Logits of static attention in predictions on a CPU. One loop reads each pair once, while libtorch's operators would write
 * and read several tensors with an index for each pair.
 */
final class StaticLogits {

    private final PairsByToken pairs;
    private final LabelSelection.Range labels;
    private final StaticAttention.Weights kind;

    StaticLogits(PairsByToken pairs, LabelSelection.Range labels, StaticAttention.Weights kind) {
        this.pairs = pairs;
        this.labels = labels;
        this.kind = kind;
    }

    /** Token logits (B, T, L) of these labels, contiguous and in float32, averaged by the attention weights: (B, L). */
    Tensor of(Batch batch, Tensor tokenLogits) {
        FloatBuffer values = new FloatPointer(tokenLogits.data_ptr_float())
                .capacity(tokenLogits.numel())
                .asBuffer();
        long[] tokens = TokenOccurrences.tokens(batch.ids());
        int count = labels.count();
        int documents = batch.lengths().length;
        float[] logits = new float[documents * count];
        float[] gains = new float[count];
        for (int document = 0; document < documents; document++) {
            Arrays.fill(gains, 1); // the summand that keeps the sum of the weights below 1
            int row = document * count;
            int start = document * batch.width();
            for (int at = start; at < start + batch.lengths()[document]; at++) {
                addToken((int) tokens[at], values, at * count, logits, row, gains);
            }
            for (int label = 0; label < count && kind == StaticAttention.Weights.NORMALIZED; label++) {
                logits[row + label] /= gains[label];
            }
        }
        return Tensor.create(logits, documents, count);
    }

    private void addToken(int token, FloatBuffer values, int offset, float[] logits, int row, float[] gains) {
        int end = pairs.starts()[token + 1];
        for (int pair = firstPair(token); pair < end; pair++) {
            int label = pairs.labels()[pair] - labels.first();
            if (label >= labels.count()) {
                break;
            }
            float gain = pairs.gains()[pair];
            gains[label] += gain;
            logits[row + label] += gain * values.get(offset + label);
        }
    }

    /** The first pair of a token with one of the labels or a later one. */
    private int firstPair(int token) {
        int start = pairs.starts()[token];
        if (labels.first() == 0) {
            return start;
        }
        int found = Arrays.binarySearch(pairs.labels(), start, pairs.starts()[token + 1], labels.first());
        return found >= 0 ? found : -found - 1;
    }
}
