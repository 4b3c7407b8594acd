package org.plant4j.model;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.plant4j.model.output.BatchPredictor;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.Prediction;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.model.output.SharedViews;
import org.plant4j.support.Arguments;

/**
 * A multi-label classifier: scores every label of a document and explains chosen labels by token weights. Documents are
 * token ids of the run's vocabulary, and only Java values are returned. Safe for use by several threads.
 */
public interface Model extends AutoCloseable {

    /** The number of labels. */
    int labels();

    /**
     * Computes what the request asks for, encoding each document once.
     *
     * @return one prediction per document, in the given order; an empty document has scores too
     */
    default List<Prediction> predict(List<int[]> documents, PredictionRequest request) {
        Prediction[] predictions = new Prediction[documents.size()];
        for (int[] batch : batches(documents, request)) {
            List<int[]> members = Arrays.stream(batch).mapToObj(documents::get).toList();
            try (BatchPredictor predictor = predictor(members, request)) {
                float[][] scores = request.hasScores() ? predictor.scores() : new float[batch.length][0];
                List<int[]> labels = IntStream.range(0, batch.length)
                        .mapToObj(i -> request.chooseLabels(batch[i], scores[i]))
                        .toList();
                List<float[][]> evidence = request.hasEvidence() ? predictor.evidence(labels) : List.of();
                List<List<float[]>> descriptionEvidence =
                        request.hasDescriptionEvidence() ? predictor.descriptionEvidence(labels) : List.of();
                List<Optional<SharedViews>> views =
                        request.hasSharedViews() ? predictor.sharedViews(labels) : List.of();
                for (int i = 0; i < batch.length; i++) {
                    predictions[batch[i]] = new Prediction(
                            scores[i],
                            labels.get(i),
                            evidence.isEmpty() ? new float[0][] : evidence.get(i),
                            descriptionEvidence.isEmpty() ? List.of() : descriptionEvidence.get(i),
                            views.isEmpty() ? Optional.empty() : views.get(i));
                }
            }
        }
        return List.of(predictions);
    }

    /** The scores of {@link #predict}: between 0 and 1, (documents, labels). */
    default float[][] score(List<int[]> documents) {
        return predict(documents, PredictionRequest.scores()).stream()
                .map(Prediction::scores)
                .toArray(float[][]::new);
    }

    /** The evidence of {@link #predict} for the given labels of one document, (labels, tokens). */
    default float[][] evidence(int[] document, int... labels) {
        return predict(List.of(document), PredictionRequest.evidence(labels))
                .get(0)
                .evidence();
    }

    /** The methods by which the model computes evidence, its default first. */
    default List<EvidenceMethod> evidenceMethods() {
        return List.of(EvidenceMethod.ATTENTION_VALUE);
    }

    /** The method of a request, or the default. */
    default EvidenceMethod evidenceMethod(PredictionRequest request) {
        EvidenceMethod method =
                request.evidenceMethod().orElse(evidenceMethods().get(0));
        Arguments.check(
                evidenceMethods().contains(method),
                "evidence method",
                method.id(),
                "one of " + evidenceMethods().stream().map(EvidenceMethod::id).toList());
        return method;
    }

    /** Starts prediction for documents that are processed together; the caller closes the predictor. */
    BatchPredictor predictor(List<int[]> documents, PredictionRequest request);

    /** Groups documents into batches that fit into memory, as lists of their positions; one batch by default. */
    default List<int[]> batches(List<int[]> documents, PredictionRequest request) {
        return List.of(IntStream.range(0, documents.size()).toArray());
    }

    /** Writes everything that is needed to load the model into a directory. */
    void save(Path directory);

    @Override
    void close();
}
