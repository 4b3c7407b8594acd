package org.plant4j.model.matching;

import java.util.ArrayList;
import java.util.List;
import org.plant4j.text.Dataset;
import org.plant4j.text.TokenEvidence;

/** Documents with gold evidence in memory. */
record AnnotatedDocuments(List<int[]> documents, List<int[]> gold, List<List<TokenEvidence>> marks) implements Dataset {

    AnnotatedDocuments without(int document) {
        return new AnnotatedDocuments(without(documents, document), without(gold, document), without(marks, document));
    }

    private static <T> List<T> without(List<T> list, int index) {
        List<T> rest = new ArrayList<>(list);
        rest.remove(index);
        return rest;
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

    @Override
    public List<TokenEvidence> evidence(int document) {
        return marks.get(document);
    }
}
