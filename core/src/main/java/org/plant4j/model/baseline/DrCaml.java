package org.plant4j.model.baseline;

import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Convolution;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.Linear;
import org.plant4j.model.NetworkConfig;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.train.Loss;

/**
 * DR-CAML: CAML whose output weights are drawn towards the descriptions of the labels. A second convolution reads a
 * description and gives z_l = W max_t tanh(c_t); training adds λ ‖w_l - z_l‖² / F for each gold label of a document.
 *
 * <p>Mullenbach, Wiegreffe, Duke, Sun, Eisenstein: Explainable Prediction of Medical Codes from Clinical Text, NAACL 2018,
 * equations 6 and 7; reference implementation: <a href="https://github.com/jamesmullenbach/caml-mimic">caml-mimic</a>. There
 * the cross-entropy is the mean over labels and here the sum, so the regularizer is multiplied by their number.
 */
public final class DrCaml extends LabelAttentionNetwork {

    /**
     * Sizes of the network.
     *
     * @param regularization λ; the authors use 0.01 for all codes of MIMIC-III and 10 for the 50 most frequent
     * @param descriptionTokens tokens of a description that are read
     */
    public record Config(
            int embedding,
            int filters,
            int kernel,
            double dropout,
            double regularization,
            int descriptionTokens,
            double initialBias)
            implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "filters", filters);
            Arguments.atLeast(1, "kernel", kernel);
            Arguments.rate("dropout", dropout);
            Arguments.atLeast(0.0, "regularization", regularization);
            Arguments.atLeast(1, "description_tokens", descriptionTokens);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(12, 16, 4, 0.1, 0.001, 8, -1);
        }

        @Override
        public boolean usesDescriptions() {
            return true;
        }

        @Override
        public DrCaml build(int vocabularySize, int labels, Compute compute) {
            return new DrCaml(this, vocabularySize, labels, compute);
        }
    }

    private final Config config;
    private final Convolution convolution;
    private final Decoder decoder;
    private final Embedding descriptionEmbedding;
    private final Convolution descriptionConvolution;
    private final Linear descriptionProjection;
    private @Nullable Tensor descriptions; // (L, N) token ids; set for training

    DrCaml(Config config, int vocabularySize, int labels, Compute compute) {
        super(vocabularySize, config.embedding(), config.dropout(), labels, compute);
        this.config = config;
        int filters = config.filters();
        convolution = submodule("convolution", new Convolution(config.embedding(), filters, config.kernel(), compute));
        decoder = submodule(
                "", new Decoder(labels, filters, filters, 0, 1 / Math.sqrt(filters), config.initialBias(), compute));
        descriptionEmbedding =
                submodule("description_embedding", new Embedding(vocabularySize, config.embedding(), compute));
        descriptionConvolution = submodule(
                "description_convolution", new Convolution(config.embedding(), filters, config.kernel(), compute));
        descriptionProjection = submodule("description_projection", new Linear(filters, filters, true, compute));
    }

    @Override
    Decoder decoder() {
        return decoder;
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        Tensor hiddenStates = batch.withoutUnknown(torch.tanh(convolution.forward(embed(batch)))); // (B, T, filters)
        return new Encoded(hiddenStates, Optional.empty());
    }

    /** Descriptions are needed in training only; their embedding starts from that of the documents. */
    @Override
    public void setDescriptions(List<int[]> labelDescriptions) {
        Arguments.check(labelDescriptions.size() == labels(), "descriptions", labelDescriptions.size(), "" + labels());
        long[] ids = new long[labels() * config.descriptionTokens()];
        for (int label = 0; label < labels(); label++) {
            int[] tokens = labelDescriptions.get(label);
            for (int t = 0; t < Math.min(tokens.length, config.descriptionTokens()); t++) {
                ids[label * config.descriptionTokens() + t] = tokens[t];
            }
        }
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor table = compute().toDevice(Tensor.create(ids, labels(), config.descriptionTokens()));
            table.retainReference();
            closeDescriptions();
            descriptions = table;
            descriptionEmbedding.copyFrom(embedding());
        }
    }

    /** λ Σ_l ‖w_l - z_l‖² / F over the gold labels with a description, averaged over documents. */
    @Override
    public Optional<Tensor> auxiliaryLoss(Encoded encoding, Tensor targets, Loss loss) {
        if (descriptions == null) {
            return Optional.empty();
        }
        Tensor counts = targets.sum(new long[] {0}, false, new ScalarTypeOptional()); // documents of each label
        counts = counts.mul(descriptions.select(1, 0).ne(new Scalar(0)));
        Tensor present = counts.nonzero().squeeze(1); // (U)
        if (present.numel() == 0) {
            return Optional.empty();
        }
        Tensor weights = decoder.headWeights(new LabelSelection.Ids(present)); // (U, F)
        Tensor distances = weights.sub(describe(descriptions.index_select(0, present)))
                .pow(new Scalar(2))
                .mean(new long[] {1}, false, new ScalarTypeOptional(torch.ScalarType.Float)); // (U)
        double scale = config.regularization() * labels() / targets.size(0);
        return Optional.of(distances.mul(counts.index_select(0, present)).sum().mul(new Scalar(scale)));
    }

    /** Descriptions (U, N) to vectors (U, F). */
    private Tensor describe(Tensor tokens) {
        Tensor features = torch.tanh(descriptionConvolution.forward(descriptionEmbedding.forward(tokens))); // (U, N, F)
        Tensor padding = tokens.eq(new Scalar(0)).unsqueeze(-1);
        Tensor pooled = features.masked_fill(padding, new Scalar(LabelAttention.MASKED_SCORE))
                .amax(new long[] {1}, false);
        return descriptionProjection.forward(pooled);
    }

    private void closeDescriptions() {
        if (descriptions != null) {
            descriptions.close();
            descriptions = null;
        }
    }

    @Override
    public void close() {
        super.close();
        closeDescriptions();
    }
}
