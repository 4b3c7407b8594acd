package org.plant4j.corpus.codeset;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A code of the tabular list with its instructional notes. Notes also apply to all codes below.
 *
 * @param code the canonical code; empty for a chapter or a block of categories
 * @param parent the code, block or chapter above
 * @param leaf whether the list has no codes below this one; it may still need a seventh character
 * @param notes by the name of their XML element, such as {@code excludes1}
 * @param seventhCharacters the meaning of each seventh character, if codes here need one
 */
public record TabularEntry(
        String code,
        String description,
        Optional<TabularEntry> parent,
        boolean leaf,
        Map<String, List<String>> notes,
        Map<String, String> seventhCharacters) {

    public static final String INCLUSION_TERM = "inclusionTerm";
    public static final String EXCLUDES1 = "excludes1";
    public static final String CODE_FIRST = "codeFirst";
    public static final String USE_ADDITIONAL = "useAdditionalCode";

    /** The notes of a kind at this code itself. */
    public List<String> notes(String kind) {
        return notes.getOrDefault(kind, List.of());
    }

    /** The seventh characters of this code or the nearest one above that defines them; empty if it needs none. */
    public Map<String, String> inheritedSeventhCharacters() {
        return seventhCharacters.isEmpty()
                ? parent.map(TabularEntry::inheritedSeventhCharacters).orElse(Map.of())
                : seventhCharacters;
    }
}
