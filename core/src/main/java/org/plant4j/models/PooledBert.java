package org.plant4j.models;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.nn.Batch;
import org.plant4j.nn.BertEncoder;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Dropout;
import org.plant4j.nn.Encoder;
import org.plant4j.nn.LabelBias;
import org.plant4j.nn.LabelHead;
import org.plant4j.nn.Memory;
import org.plant4j.nn.Pooler;
import org.plant4j.nn.SomeLabels;
import org.plant4j.nn.Windows;

/**
 * An encoder's one vector for all it read, and a classification layer on it: the baseline of label description attention.
 * An encoder without such a vector gives the mean of its states.
 *
 * <p>Chapman, Neumann: Automatic ICD Code Classification with Label Description Attention Mechanism, IberLEF 2020, section
 * 4.1.
 */
public final class PooledBert extends EncodedNetwork {

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
            implements EncodedConfig {

        public Config {
            NetworkConfig.dropout(dropout);
            if (!(initialDeviation >= 0)) {
                throw new IllegalArgumentException("initialDeviation: " + initialDeviation + " (expected: >= 0)");
            }
            new DocumentBatching(window, overlap, batching).fits(encoder);
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
    private final @Nullable Pooler pooler;
    private final Dropout dropout;
    private final LabelHead head;
    private final RowReading notes;

    PooledBert(Config config, int vocabulary, int labels, Compute compute) {
        super(config, false, 0, vocabulary, labels, compute);
        batching = new DocumentBatching(config.window(), config.overlap(), config.batching());
        Encoder encoder = encoder();
        pooler = encoder instanceof BertEncoder ? part("pooler", new Pooler(encoder.width(), compute)) : null;
        dropout = new Dropout(config.dropout());
        head = part(
                "head",
                new LabelHead(labels, encoder.width(), config.initialDeviation(), config.initialBias(), compute));
        notes = new RowReading(this::pooled, config.heldTokens(), compute);
    }

    @Override
    public void start(Path learned) {
        super.start(learned);
        if (pooler != null) {
            pooler.start(learned);
        }
    }

    /** (N, H) of rows of words. */
    private Tensor pooled(List<int[]> rows, boolean training) {
        Batch batch = RowReading.batch(rows, training, compute());
        Tensor pooled = pooler != null && encoder() instanceof BertEncoder bert
                ? pooler.forward(bert.rows(rows, training).states())
                : states(batch).mul(shares(batch.mask())).sum(1L);
        return dropout.forward(pooled, batch);
    }

    /** (N, T, 1): what each real word has in the mean. */
    private static Tensor shares(Tensor mask) {
        Tensor real = mask.to(torch.ScalarType.Float);
        return real.div(real.sum(1L).unsqueeze(1)).unsqueeze(-1);
    }

    @Override
    Encoding encode(Batch batch, Memory before) {
        Windows windows = batching.cut(batch);
        return Encoding.of(notes.read(windows.rows(), batch.training()), DocumentBatching.slots(windows, compute()));
    }

    @Override
    Encoding encodeToLearn(Batch batch, Memory before) {
        Windows windows = batching.cut(batch);
        Optional<Recomputed> pooled = notes.recomputed(windows.rows(), batch.training());
        return pooled.map(rows -> new Encoding(
                        List.of(rows.value(), DocumentBatching.slots(windows, compute())), Memory.NONE, List.of(rows)))
                .orElseGet(() -> encode(batch, before));
    }

    @Override
    Tensor decode(Batch batch, Encoding encoding, SomeLabels some) {
        return DocumentBatching.best(head.votes(encoding.part(POOLED), some), encoding.part(SLOTS));
    }

    /** A word's share of the mean; what went into BERT's own vector cannot be told apart, so there no word is named. */
    @Override
    Tensor attend(Batch batch, Encoding encoding, SomeLabels some) {
        Tensor logits = head.votes(encoding.part(POOLED), some); // (N, L)
        if (pooler != null) {
            return torch.zeros(
                    new long[] {batch.lengths().length, batch.width(), logits.size(1)},
                    compute().floats());
        }
        Windows windows = batching.cut(batch);
        Batch rows = Batch.of(windows.rows(), compute());
        return DocumentBatching.spread(
                head.votes(states(rows), some).mul(shares(rows.mask())).clamp_min(new Scalar(0)),
                DocumentBatching.speakers(logits, encoding.part(SLOTS)),
                windows,
                batch,
                compute());
    }

    @Override
    LabelBias bias() {
        return head;
    }
}
