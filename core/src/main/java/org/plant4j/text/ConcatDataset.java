package org.plant4j.text;

import java.util.Objects;

/** Examples, and after them others. */
public record ConcatDataset(Dataset first, Dataset second) implements Dataset {

    @Override
    public int size() {
        return Math.addExact(first.size(), second.size());
    }

    @Override
    public int length(int document) {
        return holder(document).length(within(document));
    }

    @Override
    public int[] tokens(int document) {
        return holder(document).tokens(within(document));
    }

    @Override
    public int[] labels(int document) {
        return holder(document).labels(within(document));
    }

    private Dataset holder(int document) {
        return Objects.checkIndex(document, size()) < first.size() ? first : second;
    }

    private int within(int document) {
        return document < first.size() ? document : document - first.size();
    }
}
