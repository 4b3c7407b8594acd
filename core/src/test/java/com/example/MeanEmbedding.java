package com.example;

import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.model.EncodedDocuments;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.ModelProvider;
import org.plant4j.model.ModelType;
import org.plant4j.model.NetworkConfig;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/** A model outside of Plant4j's packages: a linear layer on the mean of the token embeddings. */
public final class MeanEmbedding extends LabelNetwork<EncodedDocuments> {

    public record Config(int embedding) implements NetworkConfig {
        @Override
        public MeanEmbedding build(int vocabularySize, int labels, Compute compute) {
            return new MeanEmbedding(this, vocabularySize, labels, compute);
        }
    }

    /** Named in {@code META-INF/services}. */
    public static final class Provider implements ModelProvider {
        @Override
        public List<ModelType> models() {
            return List.of(ModelType.of("mean-embedding", Config.class, () -> new Config(16)));
        }
    }

    private final Embedding embedding;
    private final LabelHead head;

    private MeanEmbedding(Config config, int vocabularySize, int labels, Compute compute) {
        super(labels, compute);
        embedding = submodule("embedding", new Embedding(vocabularySize, config.embedding(), compute));
        head = submodule("head", new LabelHead(labels, config.embedding(), 1, -1, compute));
    }

    @Override
    public EncodedDocuments encode(Batch batch, EncoderState before) {
        Tensor real = batch.mask().to(torch.ScalarType.Float); // (B, T)
        Tensor weights = real.div(real.sum(1L).unsqueeze(1)).unsqueeze(-1);
        return new EncodedDocuments(embedding.forward(batch.tokens()).mul(weights)); // (B, T, E)
    }

    @Override
    public Tensor decode(Batch batch, EncodedDocuments encoding, LabelSelection labels) {
        return head.tokenLogits(encoding.hiddenStates(), labels).sum(1L); // (B, L)
    }

    @Override
    public Tensor evidenceWeights(Batch batch, EncodedDocuments encoding, LabelSelection labels) {
        return head.tokenLogits(encoding.hiddenStates(), labels).clamp_min(new Scalar(0)); // (B, T, L)
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    @Override
    public LabelBias bias() {
        return head;
    }
}
