package org.plant4j.model;

import java.util.List;
import org.plant4j.text.Dataset;

/** A dataset in memory. */
public record InMemoryExamples(List<int[]> documents, List<int[]> gold) implements Dataset {

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
