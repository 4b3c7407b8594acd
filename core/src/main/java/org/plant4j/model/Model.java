package org.plant4j.model;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What every classifier can do, network or not: score each label of a document, and say which tokens spoke for a label.
 * Documents are token ids of the run's vocabulary; plain arrays cross this boundary, so nothing native leaks. Safe for
 * use by several threads.
 */
public interface Model extends AutoCloseable {

    /** Number of labels. */
    int labels();

    /** A score between 0 and 1 for each label of each document; an empty document scores too. */
    float[][] score(List<int[]> documents);

    /**
     * For each of the asked labels one weight a token: its share in the model's decision for the label. Weights are not
     * negative and sum to 1, or to 0 where no token spoke for the label.
     */
    float[][] evidence(int[] document, int[] labels);

    /** The same for several documents, each with labels of its own; a model may look at them all at once. */
    default List<float[][]> evidence(List<int[]> documents, List<int[]> labels) {
        return IntStream.range(0, documents.size())
                .mapToObj(i -> evidence(documents.get(i), labels.get(i)))
                .toList();
    }

    /**
     * For each of the asked labels one weight for each word of its description that the model read, the first first: how
     * much the word had to say, found in the document, for the label. Nothing of a model that reads no descriptions.
     */
    default List<float[]> descriptionEvidence(int[] document, int[] labels) {
        return IntStream.of(labels).mapToObj(label -> new float[0]).toList();
    }

    /**
     * Where labels share their views of a document: those views, and which of them each of the asked labels chose. Empty
     * for a model whose labels each look for themselves.
     */
    default Optional<SharedViews> sharedViews(int[] document, int[] labels) {
        return Optional.empty();
    }

    /** Writes what is needed to load the model again into the folder. */
    void save(Path folder);

    @Override
    void close();
}
