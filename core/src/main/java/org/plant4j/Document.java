package org.plant4j;

import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A text with an id, its gold codes in sorted order, and the gold evidence for them if it was annotated.
 *
 * @param group documents of one group, such as those of a patient, are always in the same split; by default the id
 */
public record Document(String id, String text, Set<String> codes, List<GoldEvidence> evidence, String group)
        implements Serializable {

    private static final long serialVersionUID = 1;

    /**
     * The longest document that readers and models accept, in characters (UTF-16 code units): about 300 printed pages.
     * Memory and time of a prediction grow with the length of the document, so there must be a limit.
     */
    public static final int MAX_CHARACTERS = 1_000_000;

    public Document {
        codes = Collections.unmodifiableSet(new TreeSet<>(codes));
        evidence = List.copyOf(evidence);
    }

    public Document(String id, String text, Set<String> codes, List<GoldEvidence> evidence) {
        this(id, text, codes, evidence, id);
    }

    public Document(String id, String text, Set<String> codes) {
        this(id, text, codes, List.of());
    }
}
