package org.plant4j.pretrain;

import java.util.List;
import org.plant4j.text.Dataset;

/** Texts held in memory, without labels. */
public record ListExamples(List<int[]> texts) implements Dataset {

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
        return new int[0];
    }
}
