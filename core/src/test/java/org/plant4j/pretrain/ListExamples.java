package org.plant4j.pretrain;

import java.util.List;
import org.plant4j.text.Dataset;

/** Unlabelled documents in memory. */
public record ListExamples(List<int[]> documents) implements Dataset {

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
        return new int[0];
    }
}
