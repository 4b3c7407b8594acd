package org.plant4j.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.plant4j.text.Dataset;

/** Documents of random tokens with about twelve random labels each. */
record SyntheticDocuments(List<int[]> texts, List<int[]> labels) implements Dataset {

    static SyntheticDocuments of(int documents, int tokens, int vocabulary, int labelCount) {
        Random random = new Random(1);
        List<int[]> texts = new ArrayList<>();
        List<int[]> labels = new ArrayList<>();
        for (int i = 0; i < documents; i++) {
            texts.add(random.ints(tokens, 2, vocabulary).toArray());
            labels.add(random.ints(12, 0, labelCount).distinct().sorted().toArray());
        }
        return new SyntheticDocuments(texts, labels);
    }

    @Override
    public int size() {
        return texts.size();
    }

    @Override
    public int[] tokens(int document) {
        return texts.get(document);
    }

    @Override
    public int[] labels(int document) {
        return labels.get(document);
    }
}
