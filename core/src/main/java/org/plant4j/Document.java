package org.plant4j;

import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * A text with an id, its gold codes in sorted order, and the gold evidence for them if it was annotated.
 *
 * @param id the id, unique among all documents
 * @param text the text
 * @param codes the gold codes
 * @param evidence the gold evidence, possibly none
 * @param group documents of one group, such as those of a patient, are always in the same split; by default the id
 * @serial exclude
 */
@SuppressWarnings("InvalidBlockTag") // the tag keeps the fields of a record out of the documented serialized form
public record Document(String id, String text, Set<String> codes, List<GoldEvidence> evidence, String group)
        implements Serializable {

    private static final long serialVersionUID = 1;

    /**
     * The longest document that readers and models accept, in characters (UTF-16 code units): about 300 printed pages.
     * Memory and time of a prediction grow with the length of the document, so there must be a limit.
     */
    public static final int MAX_CHARACTERS = 1_000_000;

    /**
     * Sorts the codes and copies the lists.
     *
     * @param id the id, unique among all documents
     * @param text the text
     * @param codes the gold codes
     * @param evidence the gold evidence, possibly none
     * @param group documents of one group, such as those of a patient, are always in the same split; by default the id
     */
    public Document {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(group, "group");
        codes = Collections.unmodifiableSet(new TreeSet<>(codes));
        evidence = List.copyOf(evidence);
    }

    /**
     * A document that is a group of its own.
     *
     * @param id the id, unique among all documents
     * @param text the text
     * @param codes the gold codes
     * @param evidence the gold evidence
     */
    public Document(String id, String text, Set<String> codes, List<GoldEvidence> evidence) {
        this(id, text, codes, evidence, id);
    }

    /**
     * A document without evidence that is a group of its own.
     *
     * @param id the id, unique among all documents
     * @param text the text
     * @param codes the gold codes
     */
    public Document(String id, String text, Set<String> codes) {
        this(id, text, codes, List.of());
    }

    /**
     * A copy in another group, such as that of a patient: {@link Training} never divides a group between splits.
     *
     * @param other the other group
     * @return the copy
     */
    public Document withGroup(String other) {
        return new Document(id, text, codes, evidence, other);
    }
}
