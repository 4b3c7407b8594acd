package org.plant4j.rank;

import java.util.Arrays;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.TokenOccurrences;
import org.plant4j.tensor.Batch;

/**
 * Static attention of a few labels on a CPU: each label looks up its tokens in the documents, which costs less than selecting its
 * pairs from those of all labels.
 */
final class LabelLookup {

    private final Relevance relevance;
    private final StaticAttention.Weights kind;
    private final int[] last; // by token: its last position in the document, from 1; 0 if it is not there

    private long[] slots = new long[1024];
    private long[] rows = new long[1024];
    private float[] weights = new float[1024];
    private int size;

    LabelLookup(Relevance relevance, StaticAttention.Weights kind, int vocabularySize) {
        this.relevance = relevance;
        this.kind = kind;
        this.last = new int[vocabularySize];
    }

    /** The weights of these labels, which are the first of {@code columns} columns; empty if there are none. */
    Optional<StaticAttention.SparseAttention> sparse(Batch batch, int[] labels, int columns) {
        long[] tokens = TokenOccurrences.tokens(batch.ids());
        int width = batch.width();
        int[] previous = new int[width + 1]; // by position, from 1: the previous one of the same token
        for (int document = 0; document < batch.lengths().length; document++) {
            int start = document * width;
            int length = batch.lengths()[document];
            for (int position = 1; position <= length; position++) {
                int token = (int) tokens[start + position - 1];
                previous[position] = last[token];
                last[token] = position;
            }
            for (int column = 0; column < labels.length; column++) {
                long row = (long) document * columns + column;
                addLabel(labels[column], previous, start, columns, column, row);
            }
            for (int position = 1; position <= length; position++) {
                last[(int) tokens[start + position - 1]] = 0;
            }
        }
        return size == 0
                ? Optional.empty()
                : Optional.of(new StaticAttention.SparseAttention(
                        Tensor.create(Arrays.copyOf(slots, size)),
                        Tensor.create(Arrays.copyOf(rows, size)),
                        Tensor.create(Arrays.copyOf(weights, size))));
    }

    private void addLabel(int label, int[] previous, int start, int columns, int column, long row) {
        int[] tokens = relevance.sharedTokens(label);
        float[] gains = relevance.sharedGains(label);
        int first = size;
        float sum = 1;
        for (int i = 0; i < tokens.length; i++) {
            for (int position = last[tokens[i]]; position != 0; position = previous[position]) {
                float gain = kind == StaticAttention.Weights.GAIN ? gains[i] : gains[i] / gains[0];
                add((start + position - 1L) * columns + column, row, gain);
                sum += gain;
            }
        }
        for (int i = first; i < size && kind == StaticAttention.Weights.NORMALIZED; i++) {
            weights[i] /= sum;
        }
    }

    private void add(long slot, long row, float weight) {
        if (size == slots.length) {
            slots = Arrays.copyOf(slots, 2 * size);
            rows = Arrays.copyOf(rows, 2 * size);
            weights = Arrays.copyOf(weights, 2 * size);
        }
        slots[size] = slot;
        rows[size] = row;
        weights[size++] = weight;
    }
}
