package org.plant4j.model.baseline;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.BertPooler;
import org.plant4j.encoder.Encoder;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.encoder.SlidingWindows;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.model.EncodedDocuments;
import org.plant4j.model.EncoderNetwork;
import org.plant4j.model.EncoderNetworkConfig;
import org.plant4j.model.GradientCheckpoint;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.RowEncoder;
import org.plant4j.model.description.DescriptionAttention;
import org.plant4j.model.description.DocumentBatching;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * An encoder's one vector for all it read, and a classification layer on it: the baseline of label description attention.
 * An encoder without such a vector gives the mean of its states.
 *
 * <p>Chapman, Neumann: Automatic ICD Code Classification with Label Description Attention Mechanism, IberLEF 2020, section
 * 4.1.
 */
public final class PooledBert extends EncoderNetwork {

    /** As {@link DescriptionAttention.Config} says. */
    public record Config(
            EncoderConfig encoder,
            double dropout,
            double initialDeviation,
            double initialBias,
            int window,
            int overlap,
            boolean batching,
            int heldTokens)
            implements EncoderNetworkConfig {

        public Config {
            NetworkConfig.dropout(dropout);
            if (!(initialDeviation >= 0)) {
                throw new IllegalArgumentException("initialDeviation: " + initialDeviation + " (expected: >= 0)");
            }
            new DocumentBatching(window, overlap, batching).requireFits(encoder);
            NetworkConfig.positive("heldTokens", heldTokens);
        }

        @Override
        public PooledBert build(int vocabulary, int labels, Compute compute) {
            return new PooledBert(this, vocabulary, labels, compute);
        }
    }

    private static final int POOLED = 0;
    private static final int SLOTS = 1;

    private final DocumentBatching batching;
    private final @Nullable BertPooler pooler;
    private final Dropout dropout;
    private final LabelHead head;
    private final RowEncoder rowEncoder;

    PooledBert(Config config, int vocabulary, int labels, Compute compute) {
        super(config, false, 0, vocabulary, labels, compute);
        batching = new DocumentBatching(config.window(), config.overlap(), config.batching());
        Encoder encoder = encoder();
        pooler = encoder instanceof BertEncoder
                ? submodule("pooler", new BertPooler(encoder.hiddenSize(), compute))
                : null;
        dropout = new Dropout(config.dropout());
        head = submodule(
                "head",
                new LabelHead(labels, encoder.hiddenSize(), config.initialDeviation(), config.initialBias(), compute));
        rowEncoder = new RowEncoder(this::pooled, config.heldTokens(), compute);
    }

    @Override
    public void loadPretrained(Path learned) {
        super.loadPretrained(learned);
        if (pooler != null) {
            pooler.loadPretrained(learned);
        }
    }

    /** (N, H) of rows of words. */
    private Tensor pooled(List<int[]> rows, boolean training) {
        Batch batch = RowEncoder.batch(rows, training, compute());
        Tensor pooled = pooler != null && encoder() instanceof BertEncoder bert
                ? pooler.forward(bert.encodeRows(rows, training).hiddenStates())
                : hiddenStates(batch).mul(meanWeights(batch.mask())).sum(1L);
        return dropout.forward(pooled, batch);
    }

    /** (N, T, 1): what each real word has in the mean. */
    private static Tensor meanWeights(Tensor mask) {
        Tensor real = mask.to(torch.ScalarType.Float);
        return real.div(real.sum(1L).unsqueeze(1)).unsqueeze(-1);
    }

    @Override
    public EncodedDocuments encode(Batch batch, EncoderState before) {
        SlidingWindows windows = batching.toWindows(batch);
        return EncodedDocuments.of(
                rowEncoder.encode(windows.rows(), batch.training()), DocumentBatching.windowRows(windows, compute()));
    }

    @Override
    public EncodedDocuments encodeForTraining(Batch batch, EncoderState before) {
        SlidingWindows windows = batching.toWindows(batch);
        Optional<GradientCheckpoint> pooled = rowEncoder.checkpoint(windows.rows(), batch.training());
        return pooled.map(rows -> new EncodedDocuments(
                        List.of(rows.value(), DocumentBatching.windowRows(windows, compute())),
                        EncoderState.EMPTY,
                        List.of(rows)))
                .orElseGet(() -> encode(batch, before));
    }

    @Override
    public Tensor decode(Batch batch, EncodedDocuments encoding, LabelSelection some) {
        return DocumentBatching.maxOverWindows(head.tokenLogits(encoding.tensor(POOLED), some), encoding.tensor(SLOTS));
    }

    /** A word's share of the mean; what went into BERT's own vector cannot be told apart, so there no word is named. */
    @Override
    public Tensor evidenceWeights(Batch batch, EncodedDocuments encoding, LabelSelection some) {
        Tensor logits = head.tokenLogits(encoding.tensor(POOLED), some); // (N, L)
        if (pooler != null) {
            return torch.zeros(
                    new long[] {batch.lengths().length, batch.width(), logits.size(1)},
                    compute().floatOptions());
        }
        SlidingWindows windows = batching.toWindows(batch);
        Batch rows = Batch.of(windows.rows(), compute());
        return DocumentBatching.toDocumentTokens(
                head.tokenLogits(hiddenStates(rows), some)
                        .mul(meanWeights(rows.mask()))
                        .clamp_min(new Scalar(0)),
                DocumentBatching.bestWindows(logits, encoding.tensor(SLOTS)),
                windows,
                batch,
                compute());
    }

    @Override
    public LabelBias bias() {
        return head;
    }
}
