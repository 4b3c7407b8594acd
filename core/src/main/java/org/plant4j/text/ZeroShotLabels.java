package org.plant4j.text;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.plant4j.corpus.codeset.CodeSet;

/** Which codes a run may give though training does not teach them, for its code books say what they mean. */
public enum ZeroShotLabels {
    NONE,

    /** Those right below a heading below which a learned code stands too. */
    SIBLINGS,

    /** All that may be assigned. */
    BOOK;

    /** Such codes of a book, the learned ones of the kind among them; in the book's order. */
    public List<String> select(CodeSet book, Collection<String> learned) {
        return book.entries().stream()
                .filter(CodeSet.Entry::valid)
                .map(CodeSet.Entry::code)
                .filter(wanted(book, learned))
                .toList();
    }

    private Predicate<String> wanted(CodeSet book, Collection<String> learned) {
        if (this != SIBLINGS) {
            return code -> this == BOOK;
        }
        Set<String> headings = new HashSet<>();
        learned.forEach(code -> heading(book, code).ifPresent(headings::add));
        return code -> heading(book, code).filter(headings::contains).isPresent();
    }

    private static Optional<String> heading(CodeSet book, String code) {
        return book.ancestors(code).stream().findFirst().map(CodeSet.Entry::code);
    }
}
