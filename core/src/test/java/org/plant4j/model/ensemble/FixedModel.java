package org.plant4j.model.ensemble;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.model.Model;
import org.plant4j.model.output.BatchPredictor;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.PredictionRequest;

/** A model with the same prediction for every document. It counts how often it is closed and scores are computed. */
final class FixedModel implements Model {

    private final float[] scores;
    private final float[][] evidence;
    private final float[][] descriptions;
    private final List<EvidenceMethod> methods;
    private int closed;
    private int scored;

    FixedModel(float[] scores, float[][] evidence, float[][] descriptions, EvidenceMethod... methods) {
        this.scores = scores;
        this.evidence = evidence;
        this.descriptions = descriptions;
        this.methods = List.of(methods);
    }

    /** Without evidence in descriptions. */
    FixedModel(float[] scores, float[][] evidence) {
        this(scores, evidence, new float[scores.length][0], EvidenceMethod.ATTENTION_VALUE);
    }

    int closed() {
        return closed;
    }

    int scored() {
        return scored;
    }

    @Override
    public int labels() {
        return scores.length;
    }

    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return methods;
    }

    @Override
    public BatchPredictor predictor(List<int[]> documents, PredictionRequest request) {
        int factor = 1 + evidenceMethods().indexOf(evidenceMethod(request)); // tells methods apart
        return new BatchPredictor() {
            @Override
            public float[][] scores() {
                scored++;
                return documents.stream().map(document -> scores.clone()).toArray(float[][]::new);
            }

            @Override
            public List<float[][]> evidence(List<int[]> labels) {
                return labels.stream()
                        .map(chosen -> select(evidence, chosen)
                                .map(row -> powers(row, factor))
                                .toArray(float[][]::new))
                        .toList();
            }

            @Override
            public List<List<float[]>> descriptionEvidence(List<int[]> labels) {
                return labels.stream()
                        .map(chosen -> select(descriptions, chosen).toList())
                        .toList();
            }
        };
    }

    private static Stream<float[]> select(float[][] rows, int[] labels) {
        return IntStream.of(labels).mapToObj(label -> rows[label].clone());
    }

    private static float[] powers(float[] row, int exponent) {
        for (int i = 0; i < row.length; i++) {
            row[i] = (float) Math.pow(row[i], exponent);
        }
        return row;
    }

    @Override
    public void save(Path directory) {}

    @Override
    public void close() {
        closed++;
    }
}
