package org.plant4j.text;

import java.util.List;
import java.util.Objects;

/** The documents of one dataset followed by those of another. */
record ConcatDataset(Dataset first, Dataset second) implements Dataset {

    @Override
    public int size() {
        return Math.addExact(first.size(), second.size());
    }

    @Override
    public int length(int document) {
        return source(document).length(localIndex(document));
    }

    @Override
    public int[] tokens(int document) {
        return source(document).tokens(localIndex(document));
    }

    @Override
    public int[] labels(int document) {
        return source(document).labels(localIndex(document));
    }

    @Override
    public List<TokenEvidence> evidence(int document) {
        return source(document).evidence(localIndex(document));
    }

    private Dataset source(int document) {
        return Objects.checkIndex(document, size()) < first.size() ? first : second;
    }

    private int localIndex(int document) {
        return document < first.size() ? document : document - first.size();
    }
}
