package org.plant4j.encoder;

import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.BiLstm;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Layer;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;

/** Token embeddings, dropout and one bidirectional LSTM. */
final class BiLstmEncoder extends Encoder {

    private final int hidden;
    private final Embedding embedding;
    private final Dropout dropout;
    private final BiLstm lstm;

    BiLstmEncoder(int vocabularySize, int embedding, int hidden, double dropout, Compute compute) {
        this.hidden = hidden;
        this.embedding = submodule("embedding", new Embedding(vocabularySize, embedding, compute));
        this.dropout = new Dropout(dropout);
        this.lstm = submodule("lstm", new BiLstm(embedding, hidden, compute));
    }

    @Override
    public int hiddenSize() {
        return 2 * hidden;
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    @Override
    public Output forward(Batch batch, EncoderState before) {
        Tensor embedded = dropout.forward(embedding.forward(batch.tokens()), batch); // (B, T, E)
        return new Output(lstm.forward(embedded, batch), EncoderState.EMPTY);
    }

    @Override
    public List<Layer> layers() {
        return List.of(embedding, lstm);
    }
}
