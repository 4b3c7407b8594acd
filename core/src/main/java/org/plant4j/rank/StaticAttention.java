package org.plant4j.rank;

import java.util.Arrays;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.SomeLabels;

/**
 * What mutual information alone would attend to (paper, equation 5): the gain of each token of a document in its place,
 * for each label. It is not learned.
 *
 * <p>A label's gains are scaled to a maximum of 1, and a document's divided by one more than their sum: the weights stay
 * below those of a distribution, however long the document, and small where little speaks for the label.
 *
 * <p>Only pairs with a gain are stored, by token and then by label; a batch unfolds those of its tokens.
 */
public final class StaticAttention implements AutoCloseable {

    private final Relevance relevance;
    private final Compute compute;
    private final int[] starts; // by token, into what follows; one more at the end
    private final int[] labels; // rising within a token
    private final Tensor gains;
    private final Tensor labelsThere; // the same on the device

    public StaticAttention(Relevance relevance, int vocabulary, Compute compute) {
        this.relevance = relevance;
        this.compute = compute;
        this.starts = new int[vocabulary + 1];
        for (int label = 0; label < relevance.labels(); label++) {
            for (int token : relevance.tokens(label)) {
                starts[token + 1]++;
            }
        }
        Arrays.parallelPrefix(starts, Math::addExact);
        this.labels = new int[starts[vocabulary]];
        float[] byToken = new float[labels.length];
        int[] ends = starts.clone();
        for (int label = 0; label < relevance.labels(); label++) {
            int[] tokens = relevance.tokens(label);
            float[] scaled = scaled(label);
            for (int i = 0; i < tokens.length; i++) {
                int at = ends[tokens[i]]++;
                labels[at] = label;
                byToken[at] = scaled[i];
            }
        }
        this.gains = kept(byToken.length == 0 ? torch.zeros(0) : Tensor.create(byToken));
        this.labelsThere = kept(
                labels.length == 0
                        ? torch.zeros(new long[] {0}, new TensorOptions(torch.ScalarType.Int))
                        : Tensor.create(labels));
    }

    private Tensor kept(Tensor tensor) {
        Tensor placed = compute.place(tensor);
        placed.retainReference();
        return placed;
    }

    private float[] scaled(int label) {
        float[] scaled = relevance.gains(label);
        for (int i = scaled.length - 1; i >= 0; i--) {
            scaled[i] /= scaled[0]; // the best comes first, and so is scaled last
        }
        return scaled;
    }

    public Relevance relevance() {
        return relevance;
    }

    /** Weights (B, L, T) of the labels. */
    public Tensor forward(Batch batch, SomeLabels some) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            Tensor gains = some instanceof SomeLabels.Asked asked ? looked(batch, asked) : unfolded(batch, some);
            return gains.div_(
                    gains.sum(new long[] {-1}, true, new ScalarTypeOptional()).add_(new Scalar(1f)));
        }
    }

    /** Each token of the batch brings its own stretch of the stored pairs. */
    private Tensor unfolded(Batch batch, SomeLabels some) {
        int first = some instanceof SomeLabels.Range range ? range.first() : 0;
        int count = some instanceof SomeLabels.Range range ? range.count() : relevance.labels();
        int width = batch.width();
        long[] ids = batch.ids();
        long[] sizes = new long[ids.length];
        long[] shifts = new long[ids.length]; // from a place among the unfolded pairs to one among the stored
        long[] slots = new long[ids.length]; // where the token's weights for label `first` go
        long total = 0;
        for (int i = 0; i < ids.length; i++) {
            int token = (int) ids[i];
            int from = starts[token];
            int to = starts[token + 1];
            if (some instanceof SomeLabels.Range) {
                from = atLeast(first, from, to);
                to = atLeast(first + count, from, to);
            }
            sizes[i] = (long) to - from;
            shifts[i] = from - total;
            slots[i] = ((long) (i / width) * count - first) * width + i % width;
            total += sizes[i];
        }
        Tensor weights = torch.zeros(new long[] {(long) batch.lengths().length * count * width}, compute.floats());
        if (total > 0) {
            Tensor owners = torch.repeat_interleave(compute.place(Tensor.create(sizes)), new LongOptional(total));
            Tensor places = torch.arange(new Scalar(total), owners.options())
                    .add_(compute.place(Tensor.create(shifts)).index_select(0, owners));
            Tensor targets = compute.place(Tensor.create(slots))
                    .index_select(0, owners)
                    .add_(labelsThere.index_select(0, places), new Scalar(width));
            weights.scatter_(0, targets, gains.index_select(0, places));
        }
        return weights.view(batch.lengths().length, count, width);
    }

    /** The first place in a stretch of labels whose label is at least this one. */
    private int atLeast(int label, int from, int to) {
        int place = Arrays.binarySearch(labels, from, to, label);
        return place < 0 ? -place - 1 : place;
    }

    /** A few labels are looked up one by one. */
    private Tensor looked(Batch batch, SomeLabels.Asked asked) {
        Tensor here = asked.ids().cpu();
        int width = batch.width();
        int count = (int) here.numel();
        long[] ids = batch.ids();
        float[] weights = new float[count * ids.length];
        float[] gainOf = new float[starts.length];
        for (int i = 0; i < count; i++) {
            int label = (int) here.data_ptr_long().get(i);
            int[] tokens = relevance.tokens(label);
            float[] scaled = scaled(label);
            for (int j = 0; j < tokens.length; j++) {
                gainOf[tokens[j]] = scaled[j];
            }
            for (int j = 0; j < ids.length; j++) {
                weights[(j / width * count + i) * width + j % width] = gainOf[(int) ids[j]];
            }
            for (int token : tokens) {
                gainOf[token] = 0;
            }
        }
        return compute.place(Tensor.create(weights, batch.lengths().length, count, width));
    }

    @Override
    public void close() {
        gains.close();
        labelsThere.close();
    }
}
