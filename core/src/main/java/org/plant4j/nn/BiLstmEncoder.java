package org.plant4j.nn;

import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** Word vectors through one bidirectional LSTM, features dropped before it. */
public final class BiLstmEncoder extends Encoder {

    private final int hidden;
    private final Embedding words;
    private final Dropout dropout;
    private final BiLstm lstm;

    public BiLstmEncoder(int vocabulary, int embedding, int hidden, double dropout, Compute compute) {
        this.hidden = hidden;
        this.words = part("embedding", new Embedding(vocabulary, embedding, compute));
        this.dropout = new Dropout(dropout);
        this.lstm = part("lstm", new BiLstm(embedding, hidden, compute));
    }

    @Override
    public int width() {
        return 2 * hidden;
    }

    @Override
    public Embedding embedding() {
        return words;
    }

    @Override
    public Encoded forward(Batch batch, Memory before) {
        Tensor embedded = dropout.forward(words.forward(batch.tokens()), batch); // (B, T, E)
        return new Encoded(lstm.forward(embedded, batch), Memory.NONE);
    }

    @Override
    public List<Layer> layers() {
        return List.of(words, lstm);
    }
}
