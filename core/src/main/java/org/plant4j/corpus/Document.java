package org.plant4j.corpus;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A text with an id, its gold codes in sorted order, and the gold evidence for them if it was annotated. */
public record Document(String id, String text, Set<String> codes, List<GoldEvidence> evidence) {

    public Document {
        codes = Collections.unmodifiableSet(new TreeSet<>(codes));
        evidence = List.copyOf(evidence);
    }

    public Document(String id, String text, Set<String> codes) {
        this(id, text, codes, List.of());
    }
}
