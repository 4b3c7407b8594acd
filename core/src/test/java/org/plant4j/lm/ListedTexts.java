package org.plant4j.lm;

import java.util.List;
import org.plant4j.text.Examples;

/** Texts held in memory, without labels. */
record ListedTexts(List<int[]> texts) implements Examples {

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
