package org.plant4j.pretrain.vectors;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.plant4j.support.Progress;

/** How word vectors are learned; {@code method} names it in an experiment file. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "method")
@JsonSubTypes({
    @JsonSubTypes.Type(value = PpmiWordVectors.Config.class, name = "ppmi"),
    @JsonSubTypes.Type(value = CbowWordVectors.Config.class, name = "cbow")
})
public interface WordVectorConfig {

    /** Numbers a word. */
    int size();

    /**
     * Learns from documents of token ids, which may be read several times. Rows of padding, of unknown tokens and of words
     * that nothing is known of are zero. Equal seeds give equal vectors, on any number of threads.
     */
    float[][] train(int vocabularySize, Iterable<int[]> documents, long seed, Progress progress);
}
