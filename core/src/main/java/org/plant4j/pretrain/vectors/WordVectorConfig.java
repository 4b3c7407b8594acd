package org.plant4j.pretrain.vectors;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.plant4j.Progress;

/** Word vectors trained on unlabelled text; {@code method} selects how in an experiment file. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "method")
@JsonSubTypes({
    @JsonSubTypes.Type(value = PpmiWordVectors.Config.class, name = "ppmi"),
    @JsonSubTypes.Type(value = CbowWordVectors.Config.class, name = "cbow")
})
public interface WordVectorConfig {

    /** Size of a vector. */
    int size();

    /**
     * Trains on documents of token ids, which may be read several times, and returns a vector per token (V, E). Those of
     * padding, unknown tokens and tokens that do not occur are zero. Equal seeds give equal vectors, up to rounding on
     * another number of threads.
     */
    float[][] train(int vocabularySize, Iterable<int[]> documents, long seed, Progress progress);
}
