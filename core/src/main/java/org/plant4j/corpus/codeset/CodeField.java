package org.plant4j.corpus.codeset;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.plant4j.support.UserError;

/**
 * How the codes of a row are read: put into the canonical form of a code system, or kept as written where none is named,
 * and whether a row must have any.
 */
public record CodeField(Optional<CodeSystem> system, boolean required) {

    /** Codes as written, at least one a document. */
    public static final CodeField REQUIRED = new CodeField(Optional.empty(), true);

    /** Codes as written, or none: for documents to be coded. */
    public static final CodeField OPTIONAL = new CodeField(Optional.empty(), false);

    public Set<String> parse(Collection<String> written, String where) {
        Set<String> codes = new TreeSet<>();
        for (String code : written) {
            if (!code.isBlank()) {
                codes.add(system.map(s -> s.canonical(code)).orElse(code.strip()));
            }
        }
        if (codes.isEmpty() && required) {
            throw new UserError("The document has no codes", where, "add its codes, or drop the document");
        }
        return codes;
    }
}
