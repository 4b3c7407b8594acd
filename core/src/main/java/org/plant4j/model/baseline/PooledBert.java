package org.plant4j.model.baseline;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.BertPooler;
import org.plant4j.encoder.Encoder;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.layer.Layer;
import org.plant4j.model.EncoderNetwork;
import org.plant4j.model.EncoderNetworkConfig;
import org.plant4j.model.Encoding;
import org.plant4j.model.description.DescriptionAttention;
import org.plant4j.model.description.DocumentBatching;
import org.plant4j.model.description.DocumentWindows;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.train.GradientCheckpoint;
import org.plant4j.train.RowEncoder;

/**
 * A linear layer on one pooled vector per window: the pooled class token of a pretrained encoder, or the mean of the
 * hidden states of any other encoder. A document's logit is the maximum over its windows. This is the baseline of label
 * description attention.
 *
 * <p>Chapman, Neumann: Automatic ICD Code Classification with Label Description Attention Mechanism, IberLEF 2020,
 * section 4.1.
 */
public final class PooledBert extends EncoderNetwork<PooledBert.Encoded> {

    /** The settings are those of {@link DescriptionAttention.Config}. */
    public record Config(
            EncoderConfig encoder,
            double dropout,
            double initialDeviation,
            double initialBias,
            int window,
            int overlap,
            boolean batching,
            int checkpointTokens)
            implements EncoderNetworkConfig {

        public Config {
            Arguments.rate("dropout", dropout);
            Arguments.atLeast(0.0, "initial_deviation", initialDeviation);
            new DocumentBatching(window, overlap, batching).requireFits(encoder);
            Arguments.atLeast(1, "checkpoint_tokens", checkpointTokens);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(new EncoderConfig.BiLstm(12, 8, 0.1), 0.1, 0.1, -1, 6, 2, true, 4096);
        }

        @Override
        public PooledBert build(int vocabularySize, int labels, Compute compute) {
            return new PooledBert(this, vocabularySize, labels, compute);
        }
    }

    private final DocumentBatching batching;
    private final Optional<BertPooler> pooler;
    private final Dropout dropout;
    private final LabelHead head;
    private final RowEncoder rowEncoder;

    PooledBert(Config config, int vocabularySize, int labels, Compute compute) {
        super(config, false, 0, vocabularySize, labels, compute);
        batching = new DocumentBatching(config.window(), config.overlap(), config.batching());
        Encoder encoder = encoder();
        pooler = encoder.classToken()
                .map(classToken -> submodule("pooler", new BertPooler(encoder.hiddenSize(), compute)));
        dropout = new Dropout(config.dropout());
        head = submodule(
                "head",
                new LabelHead(labels, encoder.hiddenSize(), config.initialDeviation(), config.initialBias(), compute));
        rowEncoder = new RowEncoder(this::pool, config.checkpointTokens(), compute);
    }

    @Override
    public void loadPretrained(Path pretrained) {
        super.loadPretrained(pretrained);
        pooler.ifPresent(layer -> layer.loadPretrained(pretrained));
    }

    /** The pretrained pooler is the last layer of the encoder, so that it has the encoder's learning rate. */
    @Override
    public List<Layer> encoderLayers() {
        return Stream.concat(super.encoderLayers().stream(), pooler.stream()).toList();
    }

    /**
     * Pooled windows (N, H), and the hidden states (N, T, H) from which evidence is computed unless BERT's pooler is
     * used.
     */
    public record Encoded(
            DocumentWindows windows, Tensor pooled, Optional<Tensor> hiddenStates, List<GradientCheckpoint> checkpoints)
            implements Encoding<Encoded> {
        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(windows.map(function), function.apply(pooled), hiddenStates.map(function), checkpoints);
        }
    }

    /** Pooled rows (N, H). */
    private Tensor pool(List<int[]> rows, boolean training) {
        Batch batch = RowEncoder.batch(rows, training, compute());
        return encoder()
                .classToken()
                .map(classToken -> classToken.encode(rows, training)) // (N, M, H), the class token first
                .map(hiddenStates -> dropout.forward(pooler.orElseThrow().forward(hiddenStates), batch))
                .orElseGet(() -> mean(hiddenStates(batch), batch));
    }

    private Tensor mean(Tensor hiddenStates, Batch batch) {
        return dropout.forward(hiddenStates.mul(meanWeights(batch.mask())).sum(1L), batch);
    }

    /** The weight of each token in the mean, (N, T, 1). */
    private static Tensor meanWeights(Tensor mask) {
        Tensor real = mask.to(torch.ScalarType.Float);
        return real.div(real.sum(1L).unsqueeze(1)).unsqueeze(-1);
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        DocumentWindows windows = batching.toWindows(batch, compute());
        List<int[]> rows = windows.windows().rows();
        if (pooler.isPresent()) {
            return new Encoded(windows, rowEncoder.encode(rows, batch.training()), Optional.empty(), List.of());
        }
        Batch rowBatch = RowEncoder.batch(rows, batch.training(), compute());
        Tensor hiddenStates = hiddenStates(rowBatch);
        return new Encoded(windows, mean(hiddenStates, rowBatch), Optional.of(hiddenStates), List.of());
    }

    @Override
    public Encoded encodeForTraining(Batch batch, EncoderState before) {
        DocumentWindows windows = batching.toWindows(batch, compute());
        return rowEncoder
                .checkpoint(windows.windows().rows(), batch.training())
                .map(pooled -> new Encoded(windows, pooled.value(), Optional.empty(), List.of(pooled)))
                .orElseGet(() -> encode(batch, before));
    }

    @Override
    public Tensor decode(Batch batch, Encoded encoding, LabelSelection labels) {
        return encoding.windows().maxOverWindows(head.tokenLogits(encoding.pooled(), labels));
    }

    /**
     * A token's positive contribution to the mean in the best window; 0 with BERT's pooler, whose output is not a sum
     * over tokens.
     */
    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor logits = head.tokenLogits(encoding.pooled(), labels); // (N, L)
        if (encoding.hiddenStates().isEmpty()) {
            return torch.zeros(
                    new long[] {batch.lengths().length, batch.width(), logits.size(1)},
                    compute().floatOptions());
        }
        DocumentWindows windows = encoding.windows();
        Tensor contributions = head.tokenLogits(encoding.hiddenStates().get(), labels)
                .mul(meanWeights(windows.batch().mask()))
                .clamp_min(new Scalar(0));
        return windows.toDocumentTokens(contributions, windows.bestWindows(logits), batch, compute());
    }

    @Override
    public LabelBias bias() {
        return head;
    }
}
