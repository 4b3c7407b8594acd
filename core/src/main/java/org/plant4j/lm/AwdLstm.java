package org.plant4j.lm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.UserError;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Checkpoint;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Embedding;
import org.plant4j.nn.Encoder;
import org.plant4j.nn.Layer;
import org.plant4j.nn.Memory;

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

        static void positive(String name, int value) {
            if (value < 1) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
            }
        }

        static void share(String name, double value, double multiplier) {
            if (!(value >= 0 && value * multiplier < 1)) {
                throw new IllegalArgumentException(
                        name + ": " + value + " (expected: >= 0 and, times multiplier, < 1)");
            }
        }

        int in(int layer) {
            return layer == 0 ? embedding : hidden;
        }

        int out(int layer) {
            return layer == layers - 1 ? embedding : hidden;
        }
    }

    private final Config config;
    private final Compute compute;
    private final int vocabulary;
    private final Embedding words;
    private final List<DroppedLstm> lstms = new ArrayList<>();
    private final SequenceDropout inputDropout;
    private final SequenceDropout hiddenDropout;

    public AwdLstm(Config config, int vocabulary, Compute compute) {
        this.config = config;
        this.compute = compute;
        this.vocabulary = vocabulary;
        double multiplier = config.multiplier();
        words = part("encoder", new Embedding(vocabulary, config.embedding(), compute));
        for (int i = 0; i < config.layers(); i++) {
            DroppedLstm lstm = new DroppedLstm(config.in(i), config.out(i), config.weightDrop() * multiplier, compute);
            lstms.add(part("rnns." + i, lstm));
        }
        inputDropout = new SequenceDropout(config.inputDropout() * multiplier);
        hiddenDropout = new SequenceDropout(config.hiddenDropout() * multiplier);
    }

    @Override
    public int width() {
        return config.embedding();
    }

    @Override
    public Embedding embedding() {
        return words;
    }

    @Override
    public boolean carriesMemory() {
        return true;
    }

    @Override
    public List<Layer> layers() {
        List<Layer> layers = new ArrayList<>(List.of(words));
        layers.addAll(lstms);
        return layers;
    }

    @Override
    public Encoded forward(Batch batch, Memory before) {
        boolean training = batch.training();
        Encoded encoded = read(batch.tokens(), before, training);
        if (batch.allPresent()) {
            return encoded;
        }
        Tensor present = batch.present(compute); // documents that have not begun remember nothing
        return new Encoded(
                encoded.states(),
                new Memory(encoded.after().tensors().stream()
                        .map(tensor -> tensor.mul(present))
                        .toList()));
    }

    /** Takes the encoder of a language model over the same words, as {@link LanguageModel#save} left it. */
    @Override
    public void start(Path languageModel) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            String prefix = LanguageModel.ENCODER + ".";
            Map<String, Tensor> from = Checkpoint.pick(languageModel, name -> name.startsWith(prefix));
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
    Encoded read(Tensor tokens, Memory before, boolean training) {
        Tensor x = inputDropout.forward(embed(tokens, training), training);
        List<Tensor> after = new ArrayList<>();
        for (int i = 0; i < lstms.size(); i++) {
            DroppedLstm.Pass pass =
                    lstms.get(i).forward(x, state(before, 2 * i, tokens), state(before, 2 * i + 1, tokens), training);
            after.add(pass.hidden());
            after.add(pass.cell());
            x = i < lstms.size() - 1 ? hiddenDropout.forward(pass.states(), training) : pass.states();
        }
        return new Encoded(x, new Memory(after));
    }

    private Tensor state(Memory before, int index, Tensor tokens) {
        return before.isEmpty()
                ? torch.zeros(new long[] {tokens.size(0), config.out(index / 2)}, compute.floats())
                : before.tensors().get(index);
    }

    /** A word that is dropped is dropped wherever it stands in the batch. */
    Tensor embed(Tensor tokens, boolean training) {
        Tensor embedded = words.forward(tokens);
        double share = config.embeddingDropout() * config.multiplier();
        if (!training || share == 0) {
            return embedded;
        }
        Tensor kept = torch.dropout(torch.ones(new long[] {vocabulary, 1}, compute.floats()), share, true);
        return embedded.mul(torch.embedding(kept, tokens));
    }
}
