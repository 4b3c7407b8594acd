package org.plant4j.model.output;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Computes predictions for one batch of documents step by step, so that a caller can choose labels from the scores before
 * asking for evidence. Documents are encoded at most once. Not safe for use by several threads.
 */
public interface BatchPredictor extends AutoCloseable {

    /** Computes the scores of one document, and the token weights of its chosen labels. */
    interface OfDocument {

        /** Scores between 0 and 1 of all labels. */
        float[] scores(int[] document);

        /** As in {@link BatchPredictor#evidence}. */
        float[][] tokenWeights(int[] document, int[] labels);
    }

    /** A predictor that computes the documents one by one, in parallel. */
    static BatchPredictor of(List<int[]> documents, OfDocument model) {
        return new BatchPredictor() {
            @Override
            public float[][] scores() {
                return documents.stream().parallel().map(model::scores).toArray(float[][]::new);
            }

            @Override
            public List<float[][]> evidence(List<int[]> labels) {
                return IntStream.range(0, documents.size())
                        .mapToObj(i -> model.tokenWeights(documents.get(i), labels.get(i)))
                        .toList();
            }
        };
    }

    /** Scores between 0 and 1, (documents, labels). */
    float[][] scores();

    /**
     * Evidence per document: one row of token weights for each of the document's chosen labels. The weights of a row are
     * not negative and sum to 1, or to 0 if no token contributes to the label.
     */
    List<float[][]> evidence(List<int[]> labels);

    /**
     * Evidence in the label descriptions, per document and chosen label: one weight per description token that the model
     * reads. Empty arrays if the model does not attend to descriptions.
     */
    default List<List<float[]>> descriptionEvidence(List<int[]> labels) {
        return labels.stream()
                .map(chosen ->
                        Arrays.stream(chosen).mapToObj(label -> new float[0]).toList())
                .toList();
    }

    /** Attention views that all labels share, per document; empty if each label has its own attention. */
    default List<Optional<SharedViews>> sharedViews(List<int[]> labels) {
        return labels.stream().map(chosen -> Optional.<SharedViews>empty()).toList();
    }

    @Override
    default void close() {}
}
