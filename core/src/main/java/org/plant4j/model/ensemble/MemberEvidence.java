package org.plant4j.model.ensemble;

import java.util.Arrays;
import java.util.List;
import org.plant4j.model.EvidenceWeights;
import org.plant4j.model.output.BatchPredictor;

/** The evidence of several models for the same labels, summed with a weight for each model and normalized. */
record MemberEvidence(List<BatchPredictor> members, Weights weights) {

    /** How much the evidence of a member counts for a label of a document. */
    @FunctionalInterface
    interface Weights {
        float of(int member, int document, int label);
    }

    /** Evidence in the documents, as {@link BatchPredictor#evidence}. */
    List<float[][]> inDocuments(List<int[]> labels) {
        return sum(
                labels, members.stream().map(member -> member.evidence(labels)).toList());
    }

    /** Evidence in the descriptions of labels. Members may read different numbers of tokens of a long one. */
    List<List<float[]>> inDescriptions(List<int[]> labels) {
        List<List<float[][]>> evidence = members.stream()
                .map(member -> member.descriptionEvidence(labels).stream()
                        .map(rows -> rows.toArray(float[][]::new))
                        .toList())
                .toList();
        return sum(labels, evidence).stream().map(List::of).toList();
    }

    private List<float[][]> sum(List<int[]> labels, List<List<float[][]>> evidence) {
        List<float[][]> sum =
                labels.stream().map(chosen -> new float[chosen.length][0]).toList();
        for (int member = 0; member < evidence.size(); member++) {
            for (int document = 0; document < sum.size(); document++) {
                float[][] rows = sum.get(document);
                for (int i = 0; i < rows.length; i++) {
                    float weight = weights.of(member, document, labels.get(document)[i]);
                    rows[i] = plus(rows[i], evidence.get(member).get(document)[i], weight);
                }
            }
        }
        sum.forEach(rows -> Arrays.stream(rows).forEach(EvidenceWeights::normalize));
        return sum;
    }

    private static float[] plus(float[] sum, float[] more, float weight) {
        float[] result = Arrays.copyOf(sum, Math.max(sum.length, more.length));
        for (int i = 0; i < more.length; i++) {
            result[i] += weight * more[i];
        }
        return result;
    }
}
