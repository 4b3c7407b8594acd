package org.plant4j.model;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.Layer;
import org.plant4j.model.output.BatchPredictor;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.model.output.SharedViews;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;
import org.plant4j.text.TokenEvidence;
import org.plant4j.train.Loss;

/**
 * A neural network that encodes documents once and decodes the logits of any labels from the encoding. Labels are
 * decoded in ranges that fit into memory. A network may process long documents segment by segment; a document's logits
 * are then the sum over its segments.
 *
 * @param <E> the output of {@link #encode}, usually {@link EncodedDocuments}
 */
public abstract class LabelNetwork<E extends Encoding<E>> extends Layer implements Model {

    public static final String WEIGHTS = "weights.safetensors";

    /** Padded tokens per prediction batch: enough for efficient matrix products. */
    private static final int MAX_BATCH_TOKENS = 16_384;

    /**
     * Bytes per label range in predictions on a CPU. Most of the work besides matrix products reads and writes (B, T, L)
     * tensors, which is several times faster if they stay in the cache.
     */
    private static final long CACHE = 16L << 20;

    /**
     * From this size of its (T, L) tensors on, a document is decoded by itself in predictions on a CPU: about the cache of a
     * core. The operations on smaller ones would take less time than starting them for each document.
     */
    private static final long SINGLE_DOCUMENT = 1L << 20;

    private long singleDocumentBytes = SINGLE_DOCUMENT;

    /** Matrix products with fewer labels are slow. */
    private static final int MIN_CACHED_LABELS = 256;

    private final int labels;
    private final Compute compute;

    protected LabelNetwork(int labels, Compute compute) {
        this.labels = labels;
        this.compute = compute;
    }

    /**
     * Encodes a batch of documents, or one segment of each.
     *
     * @param before the encoder state after the previous segment
     */
    public abstract E encode(Batch segment, EncoderState before);

    /** Encodes a training batch; a network may apply gradient checkpointing here. */
    public E encodeForTraining(Batch segment, EncoderState before) {
        return encode(segment, before);
    }

    /** Logits (B, L) of a segment without the bias, recorded by autograd. */
    public abstract Tensor decode(Batch segment, E encoding, LabelSelection labels);

    /** Logits of a segment without the bias; a network may provide a faster backward pass than autograd's. */
    public DecodedLogits decodeWithBackward(Batch segment, E encoding, LabelSelection labels) {
        try (Compute.Autocast autocast = compute.autocast()) {
            return DecodedLogits.withAutograd(decode(segment, encoding, labels));
        }
    }

    /** As above, with padded labels if that is faster and the network supports it. */
    final DecodedLogits decodePadded(Batch segment, E encoding, LabelSelection selection) {
        LabelSelection padded = padded(selection);
        DecodedLogits decoded = decodeWithBackward(segment, encoding, padded);
        return padded == selection ? decoded : new PaddedLogits(decoded, selection.count(labels));
    }

    private LabelSelection padded(LabelSelection selection) {
        return supportsPaddedLabels() ? LabelSelection.padded(selection, labels, compute) : selection;
    }

    /** Whether {@link #decodeWithBackward} and {@link #approximateLogits} accept {@link LabelSelection.Padded}. */
    public boolean supportsPaddedLabels() {
        return false;
    }

    /**
     * {@link EvidenceMethod#ATTENTION_VALUE}: how much each token contributes to each logit, (B, T, L), not negative and not
     * normalised.
     */
    public abstract Tensor evidenceWeights(Batch segment, E encoding, LabelSelection labels);

    /** {@link EvidenceMethod#ATTENTION}: (B, T, L), not negative; only for networks that support this method. */
    public Tensor attentionWeights(Batch segment, E encoding, LabelSelection labels) {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " has no attention");
    }

    /** Without those that need {@link #attentionWeights}, unless overridden. */
    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return List.of(
                EvidenceMethod.ATTENTION_VALUE,
                EvidenceMethod.ATTENTION_PHRASE,
                EvidenceMethod.GRADIENT_INPUT,
                EvidenceMethod.INTEGRATED_GRADIENTS);
    }

    /**
     * For each document and label one weight per description token that the network reads, normalised to sum to 1.
     * Empty arrays by default; overridden by networks that attend to descriptions.
     */
    public List<List<float[]>> descriptionEvidence(Batch batch, E encoding, int[] chosen) {
        List<float[]> none = Collections.nCopies(chosen.length, new float[0]);
        return Collections.nCopies(batch.lengths().length, none);
    }

    /**
     * For each document the views that labels share and those that the chosen labels use; by default there are none.
     */
    public List<Optional<SharedViews>> sharedViews(Batch batch, E encoding, List<int[]> chosen) {
        return Collections.nCopies(chosen.size(), Optional.empty());
    }

    public abstract LabelBias bias();

    /**
     * A loss besides that of the logits, such as a regularizer or an auxiliary task; its gradients are added.
     *
     * @param targets (B, L), 1 for the gold labels
     */
    public Optional<Tensor> auxiliaryLoss(E encoding, Tensor targets, Loss loss) {
        return Optional.empty();
    }

    /** The bias (L) in a training step, which may depend on the encoding. */
    public Tensor bias(E encoding, LabelSelection labelRange) {
        return bias().bias(labelRange);
    }

    /** The token embedding, which can be initialised with pretrained vectors. */
    public abstract Embedding embedding();

    /**
     * Initialises the encoder from a language model or from the directory of a pretrained encoder, if the network
     * supports it.
     */
    public void loadPretrained(Path pretrained) {}

    /** Initializes the attention from the relevance of tokens to labels and from a ranker trained on it. */
    public void plant(Relevance relevance, Optional<RankModel> ranker) {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " has no planted attention");
    }

    /** Sets the token ids of each label's description, before training. */
    public void setDescriptions(List<int[]> descriptions) {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " does not read descriptions");
    }

    /** Sets the token ids of each label's synonyms, after the descriptions. */
    public void setSynonyms(List<List<int[]>> synonyms) {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " does not read synonyms");
    }

    /** Initialises each label's bias with the log-odds of its frequency, which short training would not reach. */
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

    /** The layers of a pretrained encoder, the token embedding first; empty for other networks. */
    public List<Layer> encoderLayers() {
        return List.of();
    }

    /** The planted layer, if it is trained further. */
    public Optional<Layer> plantedLayer() {
        return Optional.empty();
    }

    /** Tokens per segment; by default documents are encoded whole. */
    public int segmentLength() {
        return Integer.MAX_VALUE;
    }

    /** Training backpropagates only through segments that contain one of this many last tokens of a document. */
    public int gradientWindow() {
        return Integer.MAX_VALUE;
    }

    /** Bytes of temporary memory per label and token during decoding. */
    public int bytesPerLabelAndToken() {
        return 16;
    }

    /** The same for all labels or a label range, which a network may decode with less memory than other selections. */
    public int rangeBytesPerLabelAndToken() {
        return bytesPerLabelAndToken();
    }

    /**
     * A shorter document counts as this many tokens when batches are formed, for networks with a fixed cost per
     * document.
     */
    public int minTokensPerDocument() {
        return 1;
    }

    /**
     * Whether the first two dimensions of all tensors of an encoding are documents and tokens, so that a document can be
     * decoded without the others and without its padding.
     */
    protected boolean encodesTokens() {
        return false;
    }

    /** Whether predictions decode the documents of a segment one after the other, without their padding. */
    final boolean decodesSingleDocuments(Batch segment) {
        return encodesTokens()
                && !compute.cuda()
                && segment.lengths().length > 1
                && (long) segment.width() * labels * bytesPerLabelAndToken() >= singleDocumentBytes;
    }

    /** Sets the size from which documents are decoded one after the other, so that tests can do so with small ones. */
    final void decodeSingleDocumentsFrom(long bytes) {
        singleDocumentBytes = bytes;
    }

    /** The number of padded tokens that a segment counts as. */
    public final long paddedTokens(Batch segment) {
        return (long) segment.lengths().length * Math.max(minTokensPerDocument(), segment.width());
    }

    /** Whether the network processes documents from the last token to the first. */
    public boolean readsBackward() {
        return false;
    }

    /** The tokens in the order in which the network processes them. */
    final int[] inReadingOrder(int[] document) {
        if (!readsBackward()) {
            return document;
        }
        int[] reversed = new int[document.length];
        for (int i = 0; i < reversed.length; i++) {
            reversed[i] = document[reversed.length - 1 - i];
        }
        return reversed;
    }

    /** Gold evidence of a document of this length, with positions in that order. */
    final TokenEvidence inReadingOrder(TokenEvidence evidence, int length) {
        return readsBackward()
                ? new TokenEvidence(evidence.label(), length - evidence.end(), length - evidence.start())
                : evidence;
    }

    public final Compute compute() {
        return compute;
    }

    @Override
    public final int labels() {
        return labels;
    }

    /** The number of labels with trained parameters; they come first, zero-shot labels follow. */
    public int trainedLabels() {
        return labels;
    }

    /** Proposes labels of a document before it is encoded, for training by shortlist, if the network can. */
    public Optional<Shortlist> proposals() {
        return Optional.empty();
    }

    /**
     * Labels per document that predictions score, those with the highest {@link #approximateLogits}; 0 for all. Other labels
     * score 0. All tensors of an encoding must then have the documents as their first dimension.
     */
    public int shortlistSize() {
        return 0;
    }

    /** Approximate logits (B, L) of a segment without the bias, cheaper than exact ones. They do not follow further training. */
    public Tensor approximateLogits(Batch segment, E encoding, LabelSelection labels) {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " has no approximate logits");
    }

    /** Selected labels, all before {@code end} or those of a shortlist, in ranges whose tensors fit into memory. */
    final List<LabelSelection> labelRanges(LabelSelection labels, long end, long tokens) {
        return labels instanceof LabelSelection.Shortlisted shortlist
                ? shortlist.ranges(maxLabelsPerRange(tokens, bytesPerLabelAndToken()))
                : labelRanges((int) end, tokens);
    }

    /** The labels before {@code end} in ranges whose tensors fit into memory for this many padded tokens. */
    public final List<LabelSelection> labelRanges(int end, long tokens) {
        int count = maxLabelsPerRange(tokens, rangeBytesPerLabelAndToken());
        if (count == labels && end == labels) {
            return List.of(LabelSelection.ALL);
        }
        List<LabelSelection> ranges = new ArrayList<>();
        for (int first = 0; first < end; first += count) {
            ranges.add(new LabelSelection.Range(first, Math.min(count, end - first)));
        }
        return ranges;
    }

    /** Chosen labels in chunks whose tensors fit into memory for this many padded tokens. */
    public final List<int[]> labelChunks(int[] chosen, long tokens) {
        int count = maxLabelsPerRange(tokens, bytesPerLabelAndToken());
        List<int[]> chunks = new ArrayList<>();
        for (int first = 0; first < chosen.length; first += count) {
            chunks.add(Arrays.copyOfRange(chosen, first, Math.min(first + count, chosen.length)));
        }
        return chunks;
    }

    private int maxLabelsPerRange(long tokens, int bytes) {
        long count = Math.max(1, compute.labelMemory() / (tokens * bytes));
        if (!compute.cuda() && !GradMode.is_enabled()) {
            count = Math.min(count, Math.max(MIN_CACHED_LABELS, CACHE / (tokens * bytes)));
        }
        if (count >= labels) {
            return labels;
        }
        return (int)
                (compute.padsToMultiples() && count >= Compute.MULTIPLE ? count - count % Compute.MULTIPLE : count);
    }

    /** Chosen labels as a selection on the network's device. */
    public final LabelSelection selection(int[] chosen) {
        return new LabelSelection.Ids(compute.toDevice(
                Tensor.create(Arrays.stream(chosen).asLongStream().toArray())));
    }

    /** Adds the gradients of a batch's loss to the parameters and returns the loss. */
    public Tensor computeGradients(Segments segments, Tensor targets, Loss loss) {
        return computeGradients(segments, targets, loss, EvidenceLoss.NONE);
    }

    /** As above, also for a loss on the attention; only for networks that {@link #supportsEvidenceLoss}. */
    final Tensor computeGradients(Segments segments, Tensor targets, Loss loss, EvidenceLoss evidenceLoss) {
        return new LabelRangeTraining<>(this, loss, evidenceLoss, LabelSelection.ALL)
                .computeGradients(segments, targets);
    }

    /** As above, for the labels of a shortlist and their targets (B, S). */
    final Tensor computeGradients(Segments segments, Tensor targets, Loss loss, LabelSelection.Shortlisted shortlist) {
        return new LabelRangeTraining<>(this, loss, EvidenceLoss.NONE, shortlist).computeGradients(segments, targets);
    }

    /** Whether training can pull the attention of labels onto gold evidence. */
    public boolean supportsEvidenceLoss() {
        return evidenceMethods().contains(EvidenceMethod.ATTENTION);
    }

    /** Logits and evidence weights of whole documents, recorded by autograd. */
    public final LogitsWithAttention forward(Batch batch, LabelSelection selection) {
        E encoding = encode(batch, EncoderState.EMPTY);
        Tensor logits = decode(batch, encoding, selection).add(bias().bias(selection));
        return new LogitsWithAttention(
                logits, evidenceWeights(batch, encoding, selection).transpose(1, 2));
    }

    /** The bias of the selected labels, repeated for each document: (B, L). */
    final Tensor initialLogits(int documents, LabelSelection selection) {
        return bias().bias(selection).to(torch.ScalarType.Float).repeat(documents, 1);
    }

    /**
     * Accumulates logits over the first {@code count} segments and returns the encoder state. Encodings are freed
     * segment by segment.
     *
     * @param selection all labels or a shortlist
     * @param sum logits (B, L) of these, or of the first labels of all, updated in place
     */
    final EncoderState accumulateLogits(Segments segments, int count, LabelSelection selection, Tensor sum) {
        EncoderState state = EncoderState.EMPTY;
        for (int i = 0; i < count; i++) {
            try (PointerScope scope = new PointerScope();
                    EncoderState before = state) {
                Batch segment = segments.get(i);
                E encoding = encode(segment, before);
                addLogits(segment, encoding, selection, sum);
                state = encoding.nextState().detached();
            }
        }
        return state;
    }

    /** Adds the logits of one segment to {@code sum}, label range by label range. */
    final void addLogits(Batch segment, E encoding, LabelSelection selection, Tensor sum) {
        addLogits(
                segment,
                selection,
                sum,
                range -> decodePadded(segment, encoding, range).logits());
    }

    /** The same with approximate logits of all labels; a network may have a faster way for all of them. */
    protected void addApproximateLogits(Batch segment, E encoding, Tensor sum) {
        addLogits(
                segment,
                LabelSelection.ALL,
                sum,
                range -> approximateLogits(segment, encoding, padded(range)).narrow(1, 0, range.count(labels)));
    }

    private void addLogits(
            Batch segment, LabelSelection selection, Tensor sum, Function<LabelSelection, Tensor> decoder) {
        for (LabelSelection range : labelRanges(selection, sum.size(1), paddedTokens(segment))) {
            try (PointerScope scope = new PointerScope()) {
                range.columns(sum).add_(maskAbsentDocuments(segment, decoder.apply(range)));
            }
        }
    }

    /** Sets the logits of documents that have no tokens in this segment to 0. */
    final Tensor maskAbsentDocuments(Batch segment, Tensor logits) {
        return segment.allPresent() ? logits : logits.mul(segment.presenceMask(compute));
    }

    /** Approximate logits of all labels, (documents, labels). */
    public final float[][] approximateLogits(List<int[]> documents) {
        PredictionRequest request = PredictionRequest.scores();
        float[][] logits = new float[documents.size()][];
        for (int[] batch : batches(documents, request)) {
            List<int[]> members = Arrays.stream(batch).mapToObj(documents::get).toList();
            try (NetworkPredictor<E> predictor =
                    new NetworkPredictor<>(this, members, evidenceMethod(request), false)) {
                float[][] rows = predictor.approximateLogits();
                for (int i = 0; i < batch.length; i++) {
                    logits[batch[i]] = rows[i];
                }
            }
        }
        return logits;
    }

    @Override
    public final BatchPredictor predictor(List<int[]> documents, PredictionRequest request) {
        return new NetworkPredictor<>(this, documents, evidenceMethod(request), retainsEncoding(request));
    }

    /** Whether the encodings of all segments are held at once: for further outputs, or to decode a shortlist after it is known. */
    private boolean retainsEncoding(PredictionRequest request) {
        return request.reusesEncoding() || shortlistSize() > 0;
    }

    /** Groups documents of similar length, so that little of a batch is padding. */
    @Override
    public final List<int[]> batches(List<int[]> documents, PredictionRequest request) {
        int[] sorted = IntStream.range(0, documents.size())
                .boxed()
                .sorted(Comparator.comparingInt(i -> documents.get(i).length))
                .mapToInt(i -> i)
                .toArray();
        int longest = retainsEncoding(request) ? Integer.MAX_VALUE : segmentLength();
        List<int[]> batches = new ArrayList<>();
        for (int start = 0, end; start < sorted.length; start = end) {
            end = start + 1;
            while (end < sorted.length
                    && (end + 1L - start)
                                    * Math.max(
                                            minTokensPerDocument(),
                                            Math.min(longest, documents.get(sorted[end]).length))
                            <= MAX_BATCH_TOKENS) {
                end++;
            }
            batches.add(Arrays.copyOfRange(sorted, start, end));
        }
        return batches;
    }

    /** The rows of a two-dimensional float tensor. */
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
    public void save(Path directory) {
        Checkpoint.write(directory.resolve(WEIGHTS), state());
    }

    /** Loads the weights that {@link #save} wrote. */
    public void load(Path directory) {
        Checkpoint.read(directory.resolve(WEIGHTS), state());
    }
}
