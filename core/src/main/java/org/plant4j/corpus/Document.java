package org.plant4j.corpus;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** One note with its codes, in code order, and where they are known the places that support them. */
public record Document(String id, String text, Set<String> codes, List<GoldEvidence> evidence) {

    public Document {
        codes = Collections.unmodifiableSet(new TreeSet<>(codes));
        evidence = List.copyOf(evidence);
    }

    public Document(String id, String text, Set<String> codes) {
        this(id, text, codes, List.of());
    }
}
