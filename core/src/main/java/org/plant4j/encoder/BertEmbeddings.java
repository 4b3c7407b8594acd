package org.plant4j.encoder;

import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Init;
import org.plant4j.layer.Layer;
import org.plant4j.layer.LayerNorm;
import org.plant4j.tensor.Compute;

/** What BERT's first layer reads: a piece's vector, that of its position, and that of its sentence, here always the first. */
final class BertEmbeddings extends Layer {

    private static final double DEVIATION = 0.02; // as BERT draws

    private final Embedding tokens;
    private final Tensor positions; // (P, H)
    private final Tensor types; // (types, H)
    private final LayerNorm norm;
    private final Dropout dropout;
    private final int offset;

    BertEmbeddings(BertEncoder.Config config, int vocabulary, Compute compute) {
        offset = config.positionOffset();
        tokens = submodule("word_embeddings", new Embedding(vocabulary, config.hidden(), compute));
        positions = parameter(
                "position_embeddings.weight", compute, Init.normal(DEVIATION), config.positions(), config.hidden());
        types = parameter(
                "token_type_embeddings.weight", compute, Init.normal(DEVIATION), config.types(), config.hidden());
        norm = submodule("LayerNorm", new LayerNorm(config.hidden(), config.epsilon(), compute));
        dropout = new Dropout(config.dropout());
    }

    Embedding tokenEmbedding() {
        return tokens;
    }

    /** (N, M) to (N, M, H). */
    Tensor forward(Tensor tokens, boolean training) {
        Tensor place = positions.narrow(0, offset, tokens.size(1)).add(types.select(0, 0)); // (M, H)
        return dropout.forward(norm.forward(this.tokens.forward(tokens).add(place)), training);
    }
}
