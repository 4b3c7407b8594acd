package org.plant4j.model.baseline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.plant4j.text.Dataset;

/**
 * The labels that most often occur in the same training documents as each label, with their share of the counts. The first
 * neighbour of a label is the label itself, with the number of its documents.
 *
 * @param ids (L, K + 1), row by row; a label with fewer neighbours repeats itself
 * @param weights as many, each row with sum 1; 0 for repetitions
 */
@SuppressWarnings("ArrayRecordComponent") // built once per training, never compared
record LabelNeighbours(float[] ids, float[] weights) {

    /** The {@code count} most frequent neighbours of each label. */
    static LabelNeighbours of(Dataset dataset, int labels, int count) {
        List<Map<Integer, Integer>> counts = countPairs(dataset, labels);
        float[] ids = new float[labels * (count + 1)];
        float[] weights = new float[ids.length];
        for (int label = 0; label < labels; label++) {
            Map<Integer, Integer> own = counts.get(label);
            int documents = Math.max(1, own.getOrDefault(label, 0));
            own.remove(label);
            List<Map.Entry<Integer, Integer>> best = own.entrySet().stream()
                    .sorted(Comparator.comparingInt((Map.Entry<Integer, Integer> entry) -> -entry.getValue())
                            .thenComparing(Map.Entry::getKey))
                    .limit(count)
                    .toList();
            float total =
                    documents + best.stream().mapToInt(Map.Entry::getValue).sum();
            int row = label * (count + 1);
            for (int i = 0; i <= count; i++) {
                ids[row + i] = label;
            }
            weights[row] = documents / total;
            for (int i = 0; i < best.size(); i++) {
                ids[row + i + 1] = best.get(i).getKey();
                weights[row + i + 1] = best.get(i).getValue() / total;
            }
        }
        return new LabelNeighbours(ids, weights);
    }

    /** How many documents have both labels, by label and other label; a label's own number of documents under itself. */
    private static List<Map<Integer, Integer>> countPairs(Dataset dataset, int labels) {
        List<Map<Integer, Integer>> counts = new ArrayList<>();
        IntStream.range(0, labels).forEach(label -> counts.add(new HashMap<>()));
        for (int document = 0; document < dataset.size(); document++) {
            int[] gold = dataset.labels(document);
            for (int first : gold) {
                for (int second : gold) {
                    if (first < labels && second < labels) {
                        counts.get(first).merge(second, 1, Integer::sum);
                    }
                }
            }
        }
        return counts;
    }
}
