package org.plant4j.corpus.codeset;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.plant4j.corpus.codeset.CodeSet.Entry;

/**
 * Words for tumour codes that a book lacks, since ICD-O lets any cell type take any behaviour and grade while a list holds
 * only the usual ones. They are learnt from the book, hence in its language: what the description of {@code 8140/34} adds
 * to that of {@code 8140/3} belongs to grade 4.
 */
final class MorphologyDescriptions {

    private static final int CELL_TYPE = 4;
    private static final int BEHAVIOUR = 6;

    private final Map<Character, String> grades = new HashMap<>();
    private final Map<String, Entry> cellTypes = new HashMap<>();

    MorphologyDescriptions(Map<String, Entry> entries) {
        for (Entry entry : entries.values()) {
            String code = entry.code();
            if (code.indexOf('/') == CELL_TYPE) {
                cellTypes.putIfAbsent(code.substring(0, CELL_TYPE), entry);
                if (code.length() == BEHAVIOUR + 1) {
                    addGrade(entry, Optional.ofNullable(entries.get(code.substring(0, BEHAVIOUR))));
                }
            }
        }
    }

    private void addGrade(Entry graded, Optional<Entry> ungraded) {
        ungraded.map(Entry::description)
                .filter(graded.description()::startsWith)
                .ifPresent(plain -> grades.putIfAbsent(
                        graded.code().charAt(BEHAVIOUR), graded.description().substring(plain.length())));
    }

    /** The first listed code of the same cell type, for a code whose behaviour the book does not have at all. */
    Optional<Entry> findByCellType(String code) {
        return code.indexOf('/') == CELL_TYPE
                ? Optional.ofNullable(cellTypes.get(code.substring(0, CELL_TYPE)))
                : Optional.empty();
    }

    /** What to put after another code's description so that it tells this code's grade. */
    String gradeSuffix(Entry described, String code) {
        boolean graded = code.indexOf('/') == CELL_TYPE && code.length() > BEHAVIOUR && code.charAt(BEHAVIOUR) != '/';
        return graded && described.code().length() == BEHAVIOUR ? grades.getOrDefault(code.charAt(BEHAVIOUR), "") : "";
    }
}
