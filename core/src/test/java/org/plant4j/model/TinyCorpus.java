package org.plant4j.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Vocabulary;

/**
 * Random documents of 3 to 12 tokens. A document has label l, 0 to 5, if and only if it contains token l + 2, so any model
 * that reads tokens can fit it.
 */
public record TinyCorpus(List<int[]> documents, List<int[]> gold) implements Dataset {

    public static final int VOCABULARY = 30;
    public static final int LABELS = 6;

    /** Of several lengths, one longer than the networks read; the last label has none. */
    public static final List<int[]> DESCRIPTIONS = List.of(
            new int[] {2, 20},
            new int[] {21, 3, 22},
            new int[] {4},
            new int[] {5, 23, 24, 25, 26, 27},
            new int[] {28, 6},
            new int[0]);

    /** Of some labels, several or one. */
    public static final List<List<int[]>> SYNONYMS = List.of(
            List.of(new int[] {2}, new int[] {20, 29, 2}),
            List.of(),
            List.of(new int[] {24, 4}),
            List.of(),
            List.of(),
            List.of(new int[] {7, 21}));

    /** Trained labels, followed by zero-shot labels. */
    public static LabelIndex labels(int trained, int zeroShot) {
        Map<String, Integer> frequencies = new HashMap<>();
        IntStream.range(0, trained).forEach(label -> frequencies.put("code " + label, trained - label));
        return LabelIndex.of(frequencies, 1)
                .withZeroShot(IntStream.range(0, zeroShot)
                        .mapToObj(label -> "unseen " + label)
                        .toList());
    }

    /** Tokens named by their ids. */
    public static Vocabulary vocabulary() {
        try (Vocabulary.Builder builder = new Vocabulary.Builder()) {
            return builder.build(
                    IntStream.range(0, VOCABULARY).mapToObj(Integer::toString).toList());
        }
    }

    public static TinyCorpus of(int size, long seed) {
        Random random = new Random(seed);
        List<int[]> documents = IntStream.range(0, size)
                .mapToObj(
                        i -> random.ints(3 + random.nextInt(10), 2, VOCABULARY).toArray())
                .toList();
        return new TinyCorpus(
                documents, documents.stream().map(TinyCorpus::labelsOf).toList());
    }

    private static int[] labelsOf(int[] document) {
        TreeSet<Integer> labels = new TreeSet<>();
        for (int token : document) {
            if (token - 2 < LABELS) {
                labels.add(token - 2);
            }
        }
        return labels.stream().mapToInt(label -> label).toArray();
    }

    @Override
    public int size() {
        return documents.size();
    }

    @Override
    public int[] tokens(int document) {
        return documents.get(document);
    }

    @Override
    public int[] labels(int document) {
        return gold.get(document);
    }

    /** Micro-F1 at 0.5. */
    public double microF1(float[][] scores) {
        int hits = 0;
        int predicted = 0;
        int gold = 0;
        for (int document = 0; document < size(); document++) {
            boolean[] isGold = new boolean[LABELS];
            for (int label : labels(document)) {
                isGold[label] = true;
                gold++;
            }
            for (int label = 0; label < LABELS; label++) {
                if (scores[document][label] > 0.5f) {
                    predicted++;
                    hits += isGold[label] ? 1 : 0;
                }
            }
        }
        return 2.0 * hits / (predicted + gold);
    }
}
