package org.plant4j.models;

import java.util.List;
import org.plant4j.text.Examples;

/** Examples held in memory. */
record ListedExamples(List<int[]> documents, List<int[]> gold) implements Examples {

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
}
