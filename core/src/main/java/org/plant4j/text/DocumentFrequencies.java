package org.plant4j.text;

import java.io.Serializable;

/** In how many of {@code documents} documents each token occurs, by token id. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DocumentFrequencies(int documents, int[] byToken) implements Serializable {

    private static final long serialVersionUID = 1;

    public static DocumentFrequencies of(Dataset dataset, int vocabularySize) {
        DocumentCounts.Counter counter = new DocumentCounts.Counter(vocabularySize);
        for (int document = 0; document < dataset.size(); document++) {
            counter.add(DocumentCounts.distinctTokens(dataset.tokens(document), vocabularySize));
        }
        return counter.take().toFrequencies(vocabularySize);
    }
}
