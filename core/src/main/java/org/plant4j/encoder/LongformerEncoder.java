package org.plant4j.encoder;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Layer;
import org.plant4j.layer.transformer.SlidingWindowAttention;
import org.plant4j.layer.transformer.TransformerEncoderLayer;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.TensorScope;

/**
 * Longformer: BERT with {@link SlidingWindowAttention}, which reads documents of any length whole. It can start from a
 * Longformer, or from BERT, RoBERTa or XLM-R as Longformer itself did: global projections start as the local ones, and
 * positions beyond the last one start again with the first.
 *
 * <p>Beltagy, Peters, Cohan: Longformer: The Long-Document Transformer, 2020. Parameters are named as in Hugging Face's
 * {@code LongformerModel}.
 */
public final class LongformerEncoder extends Encoder {

    /**
     * Sizes and special tokens as in {@link BertEncoder.Config}.
     *
     * @param attentionWindow tokens around a token that it attends to, half of them on each side
     */
    public record Config(
            int layers,
            int hidden,
            int heads,
            int intermediate,
            int positions,
            int positionOffset,
            int types,
            double epsilon,
            int begin,
            int end,
            int mask,
            int attentionWindow,
            double dropout) {

        public Config {
            Arguments.check(
                    attentionWindow >= 2 && attentionWindow % 2 == 0,
                    "attention_window",
                    attentionWindow,
                    "an even number, at least 2");
            Arguments.rate("dropout", dropout);
        }

        /** The sizes of BERT with another attention. */
        public static Config of(BertEncoder.Config bert, int attentionWindow) {
            return new Config(
                    bert.layers(),
                    bert.hidden(),
                    bert.heads(),
                    bert.intermediate(),
                    bert.positions(),
                    bert.positionOffset(),
                    bert.types(),
                    bert.epsilon(),
                    bert.begin(),
                    bert.end(),
                    bert.mask(),
                    attentionWindow,
                    bert.dropout());
        }

        /** The sizes without the attention, with the widest window. */
        public BertEncoder.Config bert() {
            return BertEncoder.Config.builder()
                    .layers(layers)
                    .hidden(hidden)
                    .heads(heads)
                    .intermediate(intermediate)
                    .positions(positions)
                    .positionOffset(positionOffset)
                    .types(types)
                    .epsilon(epsilon)
                    .begin(begin)
                    .end(end)
                    .mask(mask)
                    .window(BertEncoder.Config.maxWindow(positions, positionOffset))
                    .dropout(dropout)
                    .build();
        }
    }

    /**
     * Encoded rows, whose first and last tokens are {@code begin} and {@code end}.
     *
     * @param hiddenStates (N, M, H)
     * @param lastInput the input (N, M, H) of the last layer
     * @param mask (N, M), true for real tokens
     */
    public record EncodedRows(Tensor hiddenStates, Tensor lastInput, Tensor mask) {}

    private final Config config;
    private final Compute compute;
    private final BertEmbeddings embeddings;
    private final List<TransformerEncoderLayer<SlidingWindowAttention>> layers = new ArrayList<>();

    public LongformerEncoder(Config config, int vocabularySize, Compute compute) {
        this.config = config;
        this.compute = compute;
        embeddings = submodule("embeddings", new BertEmbeddings(config.bert(), vocabularySize, compute));
        for (int i = 0; i < config.layers(); i++) {
            TransformerEncoderLayer<SlidingWindowAttention> layer = new TransformerEncoderLayer<>(
                    new SlidingWindowAttention(
                            config.hidden(), config.heads(), config.attentionWindow(), config.dropout(), compute),
                    config.hidden(),
                    config.intermediate(),
                    config.epsilon(),
                    config.dropout(),
                    compute);
            layers.add(submodule("encoder.layer." + i, layer));
        }
    }

    public Config config() {
        return config;
    }

    @Override
    public int hiddenSize() {
        return config.hidden();
    }

    @Override
    public Embedding embedding() {
        return embeddings.tokenEmbedding();
    }

    @Override
    public List<Layer> layers() {
        List<Layer> all = new ArrayList<>(List.of(embeddings));
        all.addAll(layers);
        return all;
    }

    /** Hidden states of the documents; {@code begin} is the only global token. */
    @Override
    public Output forward(Batch batch, EncoderState before) {
        Tensor states = encodeRows(batch.documents(), 1, batch.training()).hiddenStates();
        return new Output(states.narrow(1, 1, batch.width()), EncoderState.EMPTY);
    }

    /** Encodes rows between {@code begin} and {@code end}, of which the first {@code globals} tokens are global. */
    public EncodedRows encodeRows(List<int[]> tokens, int globals, boolean training) {
        Batch rows = Batch.of(tokens.stream().map(embeddings::addSpecialTokens).toList(), compute, training);
        Tensor x = TensorScope.run(() -> embeddings.forward(rows.tokens(), training));
        Tensor input = x;
        for (TransformerEncoderLayer<SlidingWindowAttention> layer : layers) {
            input = x;
            Tensor current = x;
            x = TensorScope.run(() -> layer.forward(
                    current, attention -> attention.forward(current, rows.mask(), globals, training), training));
        }
        return new EncodedRows(x, input, rows.mask());
    }

    /** The attention weights of the global tokens in the last layer, averaged over heads: (N, G, M). */
    public Tensor globalWeights(EncodedRows rows, int globals) {
        return layers.get(layers.size() - 1).attention().globalWeights(rows.lastInput(), rows.mask(), globals);
    }

    @Override
    public void loadPretrained(Path directory) {
        EncoderDirectory encoder = new EncoderDirectory(directory).requireComplete();
        Map<String, Tensor> into = parameters();
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Map<String, Tensor> found = new HashMap<>(Checkpoint.readMatching(encoder.weights(), into::containsKey));
            into.keySet().stream()
                    .filter(name -> name.contains("_global.") && !found.containsKey(name))
                    .forEach(name ->
                            found.put(name, Objects.requireNonNull(found.get(name.replace("_global.", ".")), name)));
            encoder.copyParameters("", found, into);
            embedding().clearPadding();
        }
    }
}
