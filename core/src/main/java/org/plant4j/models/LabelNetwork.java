package org.plant4j.models;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Checkpoint;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Embedding;
import org.plant4j.nn.LabelScores;
import org.plant4j.nn.Layer;

/** A classifier that is a network: an encoder, a label attention and a head. */
public abstract class LabelNetwork extends Layer implements Model {

    public static final String WEIGHTS = "weights.safetensors";

    /** Padded tokens scored at once: enough to keep the products large. */
    private static final int TOKENS_AT_ONCE = 16_384;

    /** Attention weights held at once, one a token and label: bounds memory where labels are many. */
    private static final int WEIGHTS_AT_ONCE = 1 << 27;

    private final int labels;
    private final Compute compute;

    protected LabelNetwork(int labels, Compute compute) {
        this.labels = labels;
        this.compute = compute;
    }

    /** Logits and attention of the given labels, or of all. */
    public abstract LabelScores forward(Batch batch, Optional<Tensor> someLabels);

    /** The word embedding, which may start from vectors learned on unlabelled text. */
    public abstract Embedding embedding();

    public final LabelScores forward(Batch batch) {
        return forward(batch, Optional.empty());
    }

    public final Compute compute() {
        return compute;
    }

    @Override
    public final int labels() {
        return labels;
    }

    @Override
    public final float[][] score(List<int[]> documents) {
        int tokensAtOnce = Math.min(TOKENS_AT_ONCE, WEIGHTS_AT_ONCE / labels);
        float[][] scores = new float[documents.size()][];
        int[] byLength = IntStream.range(0, documents.size())
                .boxed()
                .sorted(Comparator.comparingInt(i -> documents.get(i).length))
                .mapToInt(i -> i)
                .toArray();
        for (int start = 0, end; start < byLength.length; start = end) {
            end = start + 1;
            while (end < byLength.length
                    && (long) (end + 1 - start) * documents.get(byLength[end]).length <= tokensAtOnce) {
                end++;
            }
            int[] rows = Arrays.copyOfRange(byLength, start, end);
            float[][] some =
                    scoreBatch(Arrays.stream(rows).mapToObj(documents::get).toList());
            for (int i = 0; i < rows.length; i++) {
                scores[rows[i]] = some[i];
            }
        }
        return scores;
    }

    private float[][] scoreBatch(List<int[]> documents) {
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = compute.autocast()) {
            return rows(
                    torch.sigmoid(forward(Batch.of(documents, compute)).logits().to(torch.ScalarType.Float)));
        }
    }

    @Override
    public final float[][] evidence(int[] document, int[] someLabels) {
        if (someLabels.length == 0) {
            return new float[0][];
        }
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = compute.autocast()) {
            Batch batch = Batch.of(List.of(document), compute);
            Tensor asked = compute.place(
                    Tensor.create(Arrays.stream(someLabels).asLongStream().toArray()));
            Tensor attention = forward(batch, Optional.of(asked)).attention().select(0, 0);
            float[][] weights = rows(attention.to(torch.ScalarType.Float));
            // A document without a word was read as one unknown word; it has no token to point at.
            return document.length == 0 ? new float[someLabels.length][0] : weights;
        }
    }

    /** A two-dimensional tensor as Java arrays. */
    private static float[][] rows(Tensor tensor) {
        Tensor local = tensor.cpu().contiguous();
        int rows = (int) local.size(0);
        int columns = (int) local.size(1);
        FloatPointer data = new FloatPointer(local.data_ptr_float());
        float[][] values = new float[rows][columns];
        for (int row = 0; row < rows; row++) {
            data.position((long) row * columns).get(values[row]);
        }
        return values;
    }

    @Override
    public final void save(Path folder) {
        Checkpoint.write(folder.resolve(WEIGHTS), parameters());
    }

    /** Takes the weights that {@link #save} wrote. */
    public final void load(Path folder) {
        Checkpoint.read(folder.resolve(WEIGHTS), parameters());
    }
}
