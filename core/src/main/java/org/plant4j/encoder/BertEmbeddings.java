package org.plant4j.encoder;

import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Init;
import org.plant4j.layer.Layer;
import org.plant4j.layer.LayerNorm;
import org.plant4j.tensor.Compute;

/** BERT's input embeddings: the sum of token, position and token type embedding; the token type is always the first. */
final class BertEmbeddings extends Layer {

    private static final double STANDARD_DEVIATION = 0.02; // BERT's initializer_range

    private final Embedding tokens; // (V, H)
    private final Tensor positions; // (P, H)
    private final Tensor types; // (types, H)
    private final LayerNorm norm;
    private final Dropout dropout;
    private final int offset;
    private final int begin;
    private final int end;

    BertEmbeddings(BertEncoder.Config config, int vocabularySize, Compute compute) {
        offset = config.positionOffset();
        begin = config.begin();
        end = config.end();
        Init init = Init.normal(STANDARD_DEVIATION);
        tokens = submodule("word_embeddings", new Embedding(vocabularySize, config.hidden(), compute));
        positions = parameter("position_embeddings.weight", compute, init, config.positions(), config.hidden());
        types = parameter("token_type_embeddings.weight", compute, init, config.types(), config.hidden());
        norm = submodule("LayerNorm", new LayerNorm(config.hidden(), config.epsilon(), compute));
        dropout = new Dropout(config.dropout());
    }

    Embedding tokenEmbedding() {
        return tokens;
    }

    /** The row that an encoder reads for these tokens. */
    int[] addSpecialTokens(int[] row) {
        int[] complete = new int[row.length + 2];
        complete[0] = begin;
        System.arraycopy(row, 0, complete, 1, row.length);
        complete[row.length + 1] = end;
        return complete;
    }

    /** Token ids (N, M) to (N, M, H). */
    Tensor forward(Tensor ids, boolean training) {
        Tensor positionAndType = positions(ids.size(1)).add(types.select(0, 0)); // (M, H)
        return dropout.forward(norm.forward(tokens.forward(ids).add(positionAndType)), training);
    }

    /** The embeddings of the first positions; beyond the last one they start again. */
    private Tensor positions(long count) {
        long available = positions.size(0) - offset;
        if (count <= available) {
            return positions.narrow(0, offset, count);
        }
        long repeats = (count + available - 1) / available;
        return positions.narrow(0, offset, available).repeat(repeats, 1).narrow(0, 0, count);
    }
}
