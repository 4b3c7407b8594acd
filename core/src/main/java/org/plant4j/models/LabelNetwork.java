package org.plant4j.models;

import java.nio.file.Path;
import java.util.ArrayList;
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
import org.plant4j.nn.LabelBias;
import org.plant4j.nn.LabelScores;
import org.plant4j.nn.Layer;
import org.plant4j.nn.Memory;
import org.plant4j.nn.Segments;
import org.plant4j.nn.SomeLabels;

/**
 * A classifier that is a network: it encodes documents, whole or segment by segment, and decodes each label from what it
 * read. A document's logit is the sum of its segments', and labels are decoded in ranges that fit into memory.
 */
public abstract class LabelNetwork extends Layer implements Model {

    public static final String WEIGHTS = "weights.safetensors";

    /** Padded tokens scored at once: enough to keep the products large. */
    private static final int TOKENS_AT_ONCE = 16_384;

    private final int labels;
    private final Compute compute;

    protected LabelNetwork(int labels, Compute compute) {
        this.labels = labels;
        this.compute = compute;
    }

    /** Reads a segment, going on from what the one before left. */
    abstract Encoding encode(Batch segment, Memory before);

    /** Reads a segment to learn from: the same numbers, but what it takes to go back from them may be computed anew there. */
    Encoding encodeToLearn(Batch segment, Memory before) {
        return encode(segment, before);
    }

    /** Logits (B, L) of a segment without their bias, as autograd records them. */
    abstract Tensor decode(Batch segment, Encoding encoding, SomeLabels some);

    /** The same in the quickest way there is. */
    Decoded decoded(Batch segment, Encoding encoding, SomeLabels some) {
        try (Compute.Autocast autocast = compute.autocast()) {
            return Decoded.recorded(decode(segment, encoding, some));
        }
    }

    /** How much each token had to say in the logits, (B, T, L); not negative. */
    abstract Tensor attend(Batch segment, Encoding encoding, SomeLabels some);

    abstract LabelBias bias();

    /** The bias of labels in a step of learning, which reads so. */
    Tensor bias(Encoding encoding, SomeLabels some) {
        return bias().bias(some);
    }

    /** The word embedding, which may start from vectors learned on unlabelled text. */
    public abstract Embedding embedding();

    /** Starts the encoder, where it has one that can, from a language model or a pretrained encoder's folder. */
    public void start(Path learned) {}

    /** Starts each label's bias where it is as likely as it was in training; few steps would not get it there. */
    public final void startFromPrior(int[] frequencies, int documents) {
        float[] bias = new float[learned()];
        for (int label = 0; label < bias.length; label++) {
            bias[label] = prior(frequencies[label], documents);
        }
        bias().startBias(bias);
        bias().startStrangers(prior(0, documents));
    }

    private static float prior(int frequency, int documents) {
        return (float) Math.log((frequency + 0.5) / (documents - frequency + 0.5));
    }

    /** The encoder's layers, the words first, where it has one that was learned before. */
    List<Layer> encoderLayers() {
        return List.of();
    }

    /** What was planted and goes on learning. */
    Optional<Layer> planted() {
        return Optional.empty();
    }

    /** Tokens a segment; by default documents are read whole. */
    int segment() {
        return Integer.MAX_VALUE;
    }

    /** The last tokens of a document through which training sends gradients, and through the rest of their segments. */
    int window() {
        return Integer.MAX_VALUE;
    }

    /** Bytes held for each label and token while they are decoded. */
    int bytesAtOnce() {
        return 16;
    }

    /** What a document takes beside others: it counts as at least so many tokens when they are gathered. */
    int leastTokens() {
        return 1;
    }

    /** The padded tokens that a segment counts as. */
    final long room(Batch segment) {
        return (long) segment.lengths().length * Math.max(leastTokens(), segment.width());
    }

    /** Whether documents are read from their last token to their first. */
    boolean readsBackward() {
        return false;
    }

    /** The document in the order in which it is read. */
    final int[] read(int[] document) {
        if (!readsBackward()) {
            return document;
        }
        int[] turned = new int[document.length];
        for (int i = 0; i < turned.length; i++) {
            turned[i] = document[turned.length - 1 - i];
        }
        return turned;
    }

    public final Compute compute() {
        return compute;
    }

    @Override
    public final int labels() {
        return labels;
    }

    /** How many labels are learned, the first ones; the others are given by what is known of them besides. */
    public int learned() {
        return labels;
    }

    /** The first labels in as many ranges as it takes to hold their tensors for so many padded tokens. */
    final List<SomeLabels> ranges(int end, long tokens) {
        int count = labelsAtOnce(tokens);
        if (count == labels && end == labels) {
            return List.of(SomeLabels.ALL);
        }
        List<SomeLabels> ranges = new ArrayList<>();
        for (int first = 0; first < end; first += count) {
            ranges.add(new SomeLabels.Range(first, Math.min(count, end - first)));
        }
        return ranges;
    }

    /** Some labels in as many portions. */
    final List<int[]> portions(int[] someLabels, long tokens) {
        int count = labelsAtOnce(tokens);
        List<int[]> portions = new ArrayList<>();
        for (int first = 0; first < someLabels.length; first += count) {
            portions.add(Arrays.copyOfRange(someLabels, first, Math.min(first + count, someLabels.length)));
        }
        return portions;
    }

    private int labelsAtOnce(long tokens) {
        return (int) Math.max(1, Math.min(labels, compute.labelMemory() / (tokens * bytesAtOnce())));
    }

    final SomeLabels asked(int[] someLabels) {
        return new SomeLabels.Asked(compute.place(
                Tensor.create(Arrays.stream(someLabels).asLongStream().toArray())));
    }

    /** Leaves the gradients of a batch's loss with the parameters, and returns the loss. */
    Tensor learn(Segments segments, Tensor targets, Loss loss) {
        return new RangeLearning(this, loss).learn(segments, targets);
    }

    /** Logits and attention of documents that are read whole, gradients and all. */
    public final LabelScores forward(Batch batch, SomeLabels some) {
        Encoding encoding = encode(batch, Memory.NONE);
        Tensor logits = decode(batch, encoding, some).add(bias().bias(some));
        return new LabelScores(logits, attend(batch, encoding, some).transpose(1, 2));
    }

    /** Logits (B, L) without gradients; what they take of memory does not grow with the documents' segments. */
    private Tensor logits(Segments segments) {
        Tensor sum = bias().bias(SomeLabels.ALL)
                .to(torch.ScalarType.Float)
                .repeat(segments.documents().size(), 1);
        heard(segments, segments.count(), sum).close();
        return sum;
    }

    /** Adds the logits of the first segments to a sum (B, L), which may be of the first labels only; returns what they leave, and frees all else. */
    final Memory heard(Segments segments, int count, Tensor sum) {
        Memory memory = Memory.NONE;
        for (int i = 0; i < count; i++) {
            try (PointerScope scope = new PointerScope();
                    Memory before = memory) {
                Batch segment = segments.get(i);
                Encoding encoding = encode(segment, before);
                for (SomeLabels some : ranges((int) sum.size(1), room(segment))) {
                    try (PointerScope rangeScope = new PointerScope()) {
                        part(sum, some)
                                .add_(present(
                                        segment,
                                        decoded(segment, encoding, some).logits()));
                    }
                }
                memory = encoding.after().kept();
            }
        }
        return memory;
    }

    /** Documents that have not begun say nothing. */
    final Tensor present(Batch segment, Tensor logits) {
        return segment.allPresent() ? logits : logits.mul(segment.present(compute));
    }

    /** The labels' columns of (B, L). */
    static Tensor part(Tensor all, SomeLabels some) {
        return some instanceof SomeLabels.Range range ? all.narrow(1, range.first(), range.count()) : all;
    }

    @Override
    public final float[][] score(List<int[]> documents) {
        float[][] scores = new float[documents.size()][];
        for (int[] rows : byLength(documents)) {
            float[][] some = scoreBatch(
                    Arrays.stream(rows).mapToObj(documents::get).map(this::read).toList());
            for (int i = 0; i < rows.length; i++) {
                scores[rows[i]] = some[i];
            }
        }
        return scores;
    }

    /** The documents' indices, those of like length together, each group small enough to be read at once. */
    private List<int[]> byLength(List<int[]> documents) {
        int[] sorted = IntStream.range(0, documents.size())
                .boxed()
                .sorted(Comparator.comparingInt(i -> documents.get(i).length))
                .mapToInt(i -> i)
                .toArray();
        List<int[]> groups = new ArrayList<>();
        for (int start = 0, end; start < sorted.length; start = end) {
            end = start + 1;
            while (end < sorted.length
                    && (long) (end + 1 - start)
                                    * Math.max(leastTokens(), Math.min(segment(), documents.get(sorted[end]).length))
                            <= TOKENS_AT_ONCE) {
                end++;
            }
            groups.add(Arrays.copyOfRange(sorted, start, end));
        }
        return groups;
    }

    private float[][] scoreBatch(List<int[]> documents) {
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = compute.autocast()) {
            return rows(torch.sigmoid(logits(new Segments(documents, segment(), false, compute))));
        }
    }

    @Override
    public final float[][] evidence(int[] document, int[] someLabels) {
        return new Evidence(this).of(document, someLabels);
    }

    @Override
    public final List<float[][]> evidence(List<int[]> documents, List<int[]> someLabels) {
        float[][][] all = new float[documents.size()][][];
        for (int[] rows : byLength(documents)) {
            float[][][] some = new Evidence(this)
                    .of(
                            Arrays.stream(rows).mapToObj(documents::get).toList(),
                            Arrays.stream(rows).mapToObj(someLabels::get).toList());
            for (int i = 0; i < rows.length; i++) {
                all[rows[i]] = some[i];
            }
        }
        return List.of(all);
    }

    /** A two-dimensional tensor as Java arrays. */
    static float[][] rows(Tensor tensor) {
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
    public void save(Path folder) {
        Checkpoint.write(folder.resolve(WEIGHTS), parameters());
    }

    /** Takes the weights that {@link #save} wrote. */
    public void load(Path folder) {
        Checkpoint.read(folder.resolve(WEIGHTS), parameters());
    }
}
