package org.plant4j.lm;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.plant4j.Progress;

/** How word vectors are learned; {@code method} names it in an experiment file. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "method")
@JsonSubTypes({
    @JsonSubTypes.Type(value = WordVectors.Config.class, name = "ppmi"),
    @JsonSubTypes.Type(value = Cbow.Config.class, name = "cbow")
})
public interface VectorMethod {

    /** Numbers a word. */
    int size();

    /**
     * Learns from documents of token ids, which may be read several times. Rows of padding, of unknown tokens and of words
     * that nothing is known of are zero. Equal seeds give equal vectors, on any number of threads.
     */
    float[][] learn(int vocabularySize, Iterable<int[]> documents, long seed, Progress progress);
}
