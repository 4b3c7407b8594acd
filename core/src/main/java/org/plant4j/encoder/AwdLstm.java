package org.plant4j.encoder;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Layer;
import org.plant4j.layer.VariationalDropout;
import org.plant4j.layer.WeightDropLstm;
import org.plant4j.pretrain.LanguageModel;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;

/**
 * AWD-LSTM: embedded words, then LSTM layers that read in one direction and carry their state from segment to segment,
 * with dropout of whole words, of features and of recurrent weights. Padding after a document changes none of its states;
 * what is carried beyond such padding has no meaning.
 *
 * <p>Merity, Keskar, Socher: Regularizing and Optimizing LSTM Language Models, ICLR 2018. Parameters are named as in
 * fastai's {@code AWD_LSTM}.
 */
public final class AwdLstm extends Encoder {

    /**
     * Sizes and dropouts. The last layer is as wide as the embedding, the others have {@code hidden} units; {@code
     * multiplier} scales every dropout.
     */
    public record Config(
            int embedding,
            int hidden,
            int layers,
            double embeddingDropout,
            double inputDropout,
            double hiddenDropout,
            double weightDrop,
            double multiplier) {

        public Config {
            positive("embedding", embedding);
            positive("hidden", hidden);
            positive("layers", layers);
            if (!(multiplier >= 0)) {
                throw new IllegalArgumentException("multiplier: " + multiplier + " (expected: >= 0)");
            }
            share("embeddingDropout", embeddingDropout, multiplier);
            share("inputDropout", inputDropout, multiplier);
            share("hiddenDropout", hiddenDropout, multiplier);
            share("weightDrop", weightDrop, multiplier);
        }

        public static void positive(String name, int value) {
            if (value < 1) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
            }
        }

        public static void share(String name, double value, double multiplier) {
            if (!(value >= 0 && value * multiplier < 1)) {
                throw new IllegalArgumentException(
                        name + ": " + value + " (expected: >= 0 and, times multiplier, < 1)");
            }
        }

        int inputSize(int layer) {
            return layer == 0 ? embedding : hidden;
        }

        int outputSize(int layer) {
            return layer == layers - 1 ? embedding : hidden;
        }
    }

    private final Config config;
    private final Compute compute;
    private final int vocabulary;
    private final Embedding embedding;
    private final List<WeightDropLstm> lstms = new ArrayList<>();
    private final VariationalDropout inputDropout;
    private final VariationalDropout hiddenDropout;

    public AwdLstm(Config config, int vocabulary, Compute compute) {
        this.config = config;
        this.compute = compute;
        this.vocabulary = vocabulary;
        double multiplier = config.multiplier();
        embedding = submodule("encoder", new Embedding(vocabulary, config.embedding(), compute));
        for (int i = 0; i < config.layers(); i++) {
            WeightDropLstm lstm = new WeightDropLstm(
                    config.inputSize(i), config.outputSize(i), config.weightDrop() * multiplier, compute);
            lstms.add(submodule("rnns." + i, lstm));
        }
        inputDropout = new VariationalDropout(config.inputDropout() * multiplier);
        hiddenDropout = new VariationalDropout(config.hiddenDropout() * multiplier);
    }

    @Override
    public int hiddenSize() {
        return config.embedding();
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    @Override
    public boolean isStateful() {
        return true;
    }

    @Override
    public List<Layer> layers() {
        List<Layer> layers = new ArrayList<>(List.of(embedding));
        layers.addAll(lstms);
        return layers;
    }

    @Override
    public Output forward(Batch batch, EncoderState before) {
        boolean training = batch.training();
        Output encoded = encode(batch.tokens(), before, training);
        if (batch.allPresent()) {
            return encoded;
        }
        Tensor present = batch.presenceMask(compute); // documents that have not begun remember nothing
        return new Output(
                encoded.hiddenStates(),
                new EncoderState(encoded.state().tensors().stream()
                        .map(tensor -> tensor.mul(present))
                        .toList()));
    }

    /** Takes the encoder of a language model over the same words, as {@link LanguageModel#save} left it. */
    @Override
    public void loadPretrained(Path languageModel) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            String prefix = LanguageModel.ENCODER_NAME + ".";
            Map<String, Tensor> from = Checkpoint.readMatching(languageModel, name -> name.startsWith(prefix));
            Map<String, Tensor> into = parameters();
            into.forEach((name, tensor) -> {
                Tensor source = from.get(prefix + name);
                if (source == null || from.size() != into.size() || !Arrays.equals(source.shape(), tensor.shape())) {
                    throw new UserError(
                            "The encoder is not of the language model's size, or over other words: " + name,
                            languageModel.toString(),
                            "give lm and model.encoder the same embedding, hidden and layers");
                }
                tensor.copy_(source);
            });
        }
    }

    /** States of tokens (B, T), and hidden and cell state (B, ·) of each layer after the last. */
    public Output encode(Tensor tokens, EncoderState before, boolean training) {
        Tensor x = inputDropout.forward(embed(tokens, training), training);
        List<Tensor> after = new ArrayList<>();
        for (int i = 0; i < lstms.size(); i++) {
            WeightDropLstm.LstmOutput pass =
                    lstms.get(i).forward(x, state(before, 2 * i, tokens), state(before, 2 * i + 1, tokens), training);
            after.add(pass.lastHidden());
            after.add(pass.lastCell());
            x = i < lstms.size() - 1 ? hiddenDropout.forward(pass.hiddenStates(), training) : pass.hiddenStates();
        }
        return new Output(x, new EncoderState(after));
    }

    private Tensor state(EncoderState before, int index, Tensor tokens) {
        return before.isEmpty()
                ? torch.zeros(new long[] {tokens.size(0), config.outputSize(index / 2)}, compute.floatOptions())
                : before.tensors().get(index);
    }

    /** A word that is dropped is dropped wherever it stands in the batch. */
    public Tensor embed(Tensor tokens, boolean training) {
        Tensor embedded = embedding.forward(tokens);
        double share = config.embeddingDropout() * config.multiplier();
        if (!training || share == 0) {
            return embedded;
        }
        Tensor kept = torch.dropout(torch.ones(new long[] {vocabulary, 1}, compute.floatOptions()), share, true);
        return embedded.mul(torch.embedding(kept, tokens));
    }
}
