package org.plant4j.encoder;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.UserError;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Layer;
import org.plant4j.layer.LstmState;
import org.plant4j.layer.VariationalDropout;
import org.plant4j.layer.WeightDropLstm;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;

/**
 * AWD-LSTM: token embeddings and unidirectional LSTM layers whose state carries over from segment to segment, with
 * dropout of whole tokens, of features and of recurrent weights. Padding after a document does not change its hidden
 * states; the state carried beyond such padding is meaningless.
 *
 * <p>Merity, Keskar, Socher: Regularizing and Optimizing LSTM Language Models, ICLR 2018. Parameters are named as in
 * fastai's {@code AWD_LSTM}.
 */
public final class AwdLstm extends Encoder {

    /** Name of the encoder within a fastai language model, and so the prefix of its parameters in a checkpoint. */
    public static final String LANGUAGE_MODEL_NAME = "0";

    /**
     * Sizes and dropout rates. The last layer has {@code embedding} units, the others {@code hidden}; {@code
     * dropoutMultiplier} scales every rate.
     */
    public record Config(
            int embedding,
            int hidden,
            int layers,
            double embeddingDropout,
            double inputDropout,
            double hiddenDropout,
            double weightDropout,
            double dropoutMultiplier) {

        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "hidden", hidden);
            Arguments.atLeast(1, "layers", layers);
            Arguments.atLeast(0.0, "dropout_multiplier", dropoutMultiplier);
            checkRate("embedding_dropout", embeddingDropout, dropoutMultiplier);
            checkRate("input_dropout", inputDropout, dropoutMultiplier);
            checkRate("hidden_dropout", hiddenDropout, dropoutMultiplier);
            checkRate("weight_dropout", weightDropout, dropoutMultiplier);
        }

        /** Checks a dropout rate that {@code multiplier} scales. */
        public static void checkRate(String name, double rate, double multiplier) {
            Arguments.check(rate >= 0 && rate * multiplier < 1, name, rate, ">= 0 and, times dropoutMultiplier, < 1");
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
    private final int vocabularySize;
    private final Embedding embedding;
    private final List<WeightDropLstm> lstms = new ArrayList<>();
    private final VariationalDropout inputDropout;
    private final VariationalDropout hiddenDropout;
    private final LstmGraphs graphs;

    public AwdLstm(Config config, int vocabularySize, Compute compute) {
        this.config = config;
        this.compute = compute;
        this.vocabularySize = vocabularySize;
        double multiplier = config.dropoutMultiplier();
        embedding = submodule("encoder", new Embedding(vocabularySize, config.embedding(), compute));
        for (int i = 0; i < config.layers(); i++) {
            WeightDropLstm lstm = new WeightDropLstm(
                    config.inputSize(i), config.outputSize(i), config.weightDropout() * multiplier, compute);
            lstms.add(submodule("rnns." + i, lstm));
        }
        inputDropout = new VariationalDropout(config.inputDropout() * multiplier);
        hiddenDropout = new VariationalDropout(config.hiddenDropout() * multiplier);
        List<Integer> sizes =
                IntStream.range(0, lstms.size()).map(config::outputSize).boxed().toList();
        graphs = new LstmGraphs(lstms, sizes, hiddenDropout.rate(), compute);
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
        Output output = encode(batch.tokens(), before, batch.training());
        if (batch.allPresent()) {
            return output;
        }
        Tensor present = batch.presenceMask(compute); // (B, 1): zeroes the state of documents that start later
        return new Output(output.hiddenStates(), output.state().map(tensor -> tensor.mul(present)));
    }

    /** Loads the encoder of a language model checkpoint over the same vocabulary. */
    @Override
    public void loadPretrained(Path languageModel) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            String prefix = LANGUAGE_MODEL_NAME + ".";
            Map<String, Tensor> from = Checkpoint.readMatching(languageModel, name -> name.startsWith(prefix));
            Map<String, Tensor> into = parameters();
            into.forEach((name, tensor) -> {
                Tensor source = from.get(prefix + name);
                if (source == null || from.size() != into.size() || !Arrays.equals(source.shape(), tensor.shape())) {
                    throw new UserError(
                            "The encoder and the language model differ in size or vocabularySize: " + name,
                            languageModel.toString(),
                            "use the same embedding, hidden and layers in language_model and model.encoder");
                }
                tensor.copy_(source);
            });
        }
    }

    /** Hidden states (B, T, E) of tokens (B, T), and the state after them. */
    public Output encode(Tensor tokens, EncoderState before, boolean training) {
        Tensor x = inputDropout.forward(embed(tokens, training), training);
        Optional<GraphedLstm> graph = training && before.isEmpty() ? graphs.find(x) : Optional.empty();
        return graph.map(lstm -> lstm.forward(x, before)).orElseGet(() -> encodeEmbedded(x, before, training));
    }

    /** The number of CUDA graphs that training has recorded. */
    int graphCount() {
        return graphs.count();
    }

    private Output encodeEmbedded(Tensor embedded, EncoderState before, boolean training) {
        Tensor x = embedded;
        List<LstmState> after = new ArrayList<>();
        for (int i = 0; i < lstms.size(); i++) {
            LstmState start = before.isEmpty()
                    ? zeroState(embedded.size(0), i)
                    : before.layers().get(i);
            WeightDropLstm.LstmOutput output = lstms.get(i).forward(x, start, training);
            after.add(output.state());
            x = i < lstms.size() - 1 ? hiddenDropout.forward(output.hiddenStates(), training) : output.hiddenStates();
        }
        return new Output(x, new EncoderState(after));
    }

    private LstmState zeroState(long documents, int layer) {
        Tensor zero = torch.zeros(new long[] {documents, config.outputSize(layer)}, compute.floatOptions());
        return new LstmState(zero, zero);
    }

    /** (B, T) to (B, T, E). A dropped token is dropped at all its positions in the batch. */
    Tensor embed(Tensor tokens, boolean training) {
        Tensor embedded = embedding.forward(tokens);
        double rate = config.embeddingDropout() * config.dropoutMultiplier();
        if (!training || rate == 0) {
            return embedded;
        }
        Tensor keepMask = torch.dropout(torch.ones(new long[] {vocabularySize, 1}, compute.floatOptions()), rate, true);
        return embedded.mul(torch.embedding(keepMask, tokens));
    }

    @Override
    public void close() {
        graphs.close();
        super.close();
    }
}
