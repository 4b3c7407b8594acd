package org.plant4j.model;

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
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.Layer;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;

/**
 * A classifier that is a network: it encodes documents, whole or segment by segment, and decodes each label from what it
 * read. A document's logit is the sum of its segments', and labels are decoded in ranges that fit into memory.
 */
public abstract class LabelNetwork extends Layer implements Model {

    public static final String WEIGHTS = "weights.safetensors";

    /** Padded tokens scored at once: enough to keep the products large. */
    private static final int MAX_BATCH_TOKENS = 16_384;

    private final int labels;
    private final Compute compute;

    public LabelNetwork(int labels, Compute compute) {
        this.labels = labels;
        this.compute = compute;
    }

    /** Reads a segment, going on from what the one before left. */
    public abstract EncodedDocuments encode(Batch segment, EncoderState before);

    /** Reads a segment to learn from: the same numbers, but what it takes to go back from them may be computed anew there. */
    public EncodedDocuments encodeForTraining(Batch segment, EncoderState before) {
        return encode(segment, before);
    }

    /** Logits (B, L) of a segment without their bias, as autograd records them. */
    public abstract Tensor decode(Batch segment, EncodedDocuments encoding, LabelSelection some);

    /** The same in the quickest way there is. */
    public DecodedLogits decodeWithBackward(Batch segment, EncodedDocuments encoding, LabelSelection some) {
        try (Compute.Autocast autocast = compute.autocast()) {
            return DecodedLogits.withAutograd(decode(segment, encoding, some));
        }
    }

    /** How much each token had to say in the logits, (B, T, L); not negative. */
    public abstract Tensor evidenceWeights(Batch segment, EncodedDocuments encoding, LabelSelection some);

    public abstract LabelBias bias();

    /** The bias of labels in a step of learning, which reads so. */
    public Tensor bias(EncodedDocuments encoding, LabelSelection some) {
        return bias().bias(some);
    }

    /** The word embedding, which may start from vectors learned on unlabelled text. */
    public abstract Embedding embedding();

    /** Starts the encoder, where it has one that can, from a language model or a pretrained encoder's folder. */
    public void loadPretrained(Path learned) {}

    /** Starts each label's bias where it is as likely as it was in training; few steps would not get it there. */
    public final void initializeBias(int[] frequencies, int documents) {
        float[] bias = new float[trainedLabels()];
        for (int label = 0; label < bias.length; label++) {
            bias[label] = logOdds(frequencies[label], documents);
        }
        bias().initializeBias(bias);
        bias().initializeZeroShotBias(logOdds(0, documents));
    }

    private static float logOdds(int frequency, int documents) {
        return (float) Math.log((frequency + 0.5) / (documents - frequency + 0.5));
    }

    /** The encoder's layers, the words first, where it has one that was learned before. */
    List<Layer> encoderLayers() {
        return List.of();
    }

    /** What was planted and goes on learning. */
    public Optional<Layer> plantedLayer() {
        return Optional.empty();
    }

    /** Tokens a segment; by default documents are read whole. */
    public int segmentLength() {
        return Integer.MAX_VALUE;
    }

    /** The last tokens of a document through which training sends gradients, and through the rest of their segments. */
    public int gradientWindow() {
        return Integer.MAX_VALUE;
    }

    /** Bytes held for each label and token while they are decoded. */
    public int bytesPerLabelAndToken() {
        return 16;
    }

    /** What a document takes beside others: it counts as at least so many tokens when they are gathered. */
    public int minTokensPerDocument() {
        return 1;
    }

    /** The padded tokens that a segment counts as. */
    public final long paddedTokens(Batch segment) {
        return (long) segment.lengths().length * Math.max(minTokensPerDocument(), segment.width());
    }

    /** Whether documents are read from their last token to their first. */
    public boolean readsBackward() {
        return false;
    }

    /** The document in the order in which it is read. */
    final int[] inReadingOrder(int[] document) {
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
    public int trainedLabels() {
        return labels;
    }

    /** The first labels in as many ranges as it takes to hold their tensors for so many padded tokens. */
    public final List<LabelSelection> labelRanges(int end, long tokens) {
        int count = maxLabelsPerRange(tokens);
        if (count == labels && end == labels) {
            return List.of(LabelSelection.ALL);
        }
        List<LabelSelection> ranges = new ArrayList<>();
        for (int first = 0; first < end; first += count) {
            ranges.add(new LabelSelection.Range(first, Math.min(count, end - first)));
        }
        return ranges;
    }

    /** Some labels in as many portions. */
    public final List<int[]> labelChunks(int[] someLabels, long tokens) {
        int count = maxLabelsPerRange(tokens);
        List<int[]> portions = new ArrayList<>();
        for (int first = 0; first < someLabels.length; first += count) {
            portions.add(Arrays.copyOfRange(someLabels, first, Math.min(first + count, someLabels.length)));
        }
        return portions;
    }

    private int maxLabelsPerRange(long tokens) {
        return (int) Math.max(1, Math.min(labels, compute.labelMemory() / (tokens * bytesPerLabelAndToken())));
    }

    public final LabelSelection selection(int[] someLabels) {
        return new LabelSelection.Ids(compute.toDevice(
                Tensor.create(Arrays.stream(someLabels).asLongStream().toArray())));
    }

    /** Leaves the gradients of a batch's loss with the parameters, and returns the loss. */
    public Tensor computeGradients(Segments segments, Tensor targets, Loss loss) {
        return new LabelRangeTraining(this, loss).computeGradients(segments, targets);
    }

    /** Logits and attention of documents that are read whole, gradients and all. */
    public final LogitsWithAttention forward(Batch batch, LabelSelection some) {
        EncodedDocuments encoding = encode(batch, EncoderState.EMPTY);
        Tensor logits = decode(batch, encoding, some).add(bias().bias(some));
        return new LogitsWithAttention(
                logits, evidenceWeights(batch, encoding, some).transpose(1, 2));
    }

    /** Logits (B, L) without gradients; what they take of memory does not grow with the documents' segments. */
    private Tensor logits(Segments segments) {
        Tensor sum = bias().bias(LabelSelection.ALL)
                .to(torch.ScalarType.Float)
                .repeat(segments.documents().size(), 1);
        accumulateLogits(segments, segments.count(), sum).close();
        return sum;
    }

    /** Adds the logits of the first segments to a sum (B, L), which may be of the first labels only; returns what they leave, and frees all else. */
    final EncoderState accumulateLogits(Segments segments, int count, Tensor sum) {
        EncoderState memory = EncoderState.EMPTY;
        for (int i = 0; i < count; i++) {
            try (PointerScope scope = new PointerScope();
                    EncoderState before = memory) {
                Batch segment = segments.get(i);
                EncodedDocuments encoding = encode(segment, before);
                for (LabelSelection some : labelRanges((int) sum.size(1), paddedTokens(segment))) {
                    try (PointerScope rangeScope = new PointerScope()) {
                        columns(sum, some)
                                .add_(maskAbsentDocuments(
                                        segment,
                                        decodeWithBackward(segment, encoding, some)
                                                .logits()));
                    }
                }
                memory = encoding.nextState().detached();
            }
        }
        return memory;
    }

    /** Documents that have not begun say nothing. */
    final Tensor maskAbsentDocuments(Batch segment, Tensor logits) {
        return segment.allPresent() ? logits : logits.mul(segment.presenceMask(compute));
    }

    /** The labels' columns of (B, L). */
    static Tensor columns(Tensor all, LabelSelection some) {
        return some instanceof LabelSelection.Range range ? all.narrow(1, range.first(), range.count()) : all;
    }

    @Override
    public final float[][] score(List<int[]> documents) {
        float[][] scores = new float[documents.size()][];
        for (int[] rows : groupByLength(documents)) {
            float[][] some = scoreBatch(Arrays.stream(rows)
                    .mapToObj(documents::get)
                    .map(this::inReadingOrder)
                    .toList());
            for (int i = 0; i < rows.length; i++) {
                scores[rows[i]] = some[i];
            }
        }
        return scores;
    }

    /** The documents' indices, those of like length together, each group small enough to be read at once. */
    private List<int[]> groupByLength(List<int[]> documents) {
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
                                    * Math.max(
                                            minTokensPerDocument(),
                                            Math.min(segmentLength(), documents.get(sorted[end]).length))
                            <= MAX_BATCH_TOKENS) {
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
            return toArrays(torch.sigmoid(logits(new Segments(documents, segmentLength(), false, compute))));
        }
    }

    @Override
    public final float[][] evidence(int[] document, int[] someLabels) {
        return new AttentionEvidence(this).compute(document, someLabels);
    }

    @Override
    public final List<float[][]> evidence(List<int[]> documents, List<int[]> someLabels) {
        float[][][] all = new float[documents.size()][][];
        for (int[] rows : groupByLength(documents)) {
            float[][][] some = new AttentionEvidence(this)
                    .compute(
                            Arrays.stream(rows).mapToObj(documents::get).toList(),
                            Arrays.stream(rows).mapToObj(someLabels::get).toList());
            for (int i = 0; i < rows.length; i++) {
                all[rows[i]] = some[i];
            }
        }
        return List.of(all);
    }

    /** A two-dimensional tensor as Java arrays. */
    public static float[][] toArrays(Tensor tensor) {
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
