package org.plant4j.model.matching;

import org.plant4j.support.Arguments;

/**
 * Settings of the comparison of documents and descriptions by sentence embeddings.
 *
 * @param encoder directory of a pretrained encoder, such as MiniLM
 * @param words that are read of a document, from its first one on
 * @param kernel weight of the embeddings in ridge regression, whose TF-IDF features have weight 1; 0: without them
 */
public record SentenceSettings(String encoder, int words, double kernel) {

    public SentenceSettings {
        Arguments.atLeast(1, "words", words);
        Arguments.atLeast(0.0, "kernel", kernel);
    }
}
