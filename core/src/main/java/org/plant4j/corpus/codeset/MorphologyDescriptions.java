package org.plant4j.corpus.codeset;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.plant4j.corpus.codeset.CodeSet.Entry;

/**
 * Descriptions of ICD-O-3 codes that are not in a code set: any cell type may be combined with any behaviour and grade,
 * but lists contain the usual combinations only. The text for a grade is derived from the entries, so it is in their
 * language: whatever the description of {@code 8140/34} appends to that of {@code 8140/3} describes grade 4.
 */
final class MorphologyDescriptions {

    private static final int CELL_TYPE_LENGTH = 4;
    private static final int BEHAVIOUR_LENGTH = 6;

    private final Map<Character, String> grades = new HashMap<>();
    private final Map<String, Entry> cellTypes = new HashMap<>();

    MorphologyDescriptions(Map<String, Entry> entries) {
        for (Entry entry : entries.values()) {
            String code = entry.code();
            if (code.indexOf('/') == CELL_TYPE_LENGTH) {
                cellTypes.putIfAbsent(code.substring(0, CELL_TYPE_LENGTH), entry);
                if (code.length() == BEHAVIOUR_LENGTH + 1) {
                    addGrade(entry, Optional.ofNullable(entries.get(code.substring(0, BEHAVIOUR_LENGTH))));
                }
            }
        }
    }

    private void addGrade(Entry graded, Optional<Entry> ungraded) {
        ungraded.map(Entry::description)
                .filter(graded.description()::startsWith)
                .ifPresent(description -> grades.putIfAbsent(
                        graded.code().charAt(BEHAVIOUR_LENGTH),
                        graded.description().substring(description.length())));
    }

    /** The first listed code of the same cell type. */
    Optional<Entry> findByCellType(String code) {
        return code.indexOf('/') == CELL_TYPE_LENGTH
                ? Optional.ofNullable(cellTypes.get(code.substring(0, CELL_TYPE_LENGTH)))
                : Optional.empty();
    }

    /** The text to append to the description of a related code to describe the grade of this code. */
    String gradeSuffix(Entry related, String code) {
        boolean graded = code.indexOf('/') == CELL_TYPE_LENGTH
                && code.length() > BEHAVIOUR_LENGTH
                && code.charAt(BEHAVIOUR_LENGTH) != '/';
        return graded && related.code().length() == BEHAVIOUR_LENGTH
                ? grades.getOrDefault(code.charAt(BEHAVIOUR_LENGTH), "")
                : "";
    }
}
