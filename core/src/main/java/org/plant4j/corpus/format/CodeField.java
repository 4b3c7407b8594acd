package org.plant4j.corpus.format;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.plant4j.UserError;
import org.plant4j.corpus.codeset.CodeSystem;

/**
 * How the codes of a document are parsed.
 *
 * @param system normalizes the codes; if there is none, they are kept as written
 * @param required whether a document must have codes
 * @param separator stands between the codes of one text
 * @param splitsText whether a separator was set, so that JSON may have codes in one text
 */
public record CodeField(Optional<CodeSystem> system, boolean required, String separator, boolean splitsText) {

    private static final String DEFAULT_SEPARATOR = ";";
    private static final String SEPARATOR = "code_separator";

    /** Codes as written, at least one per document. */
    public static final CodeField REQUIRED = new CodeField(Optional.empty(), true);

    /** Codes as written, possibly none: for documents to be coded. */
    public static final CodeField OPTIONAL = new CodeField(Optional.empty(), false);

    static final List<String> OPTION_NAMES = List.of("system", "uncoded", SEPARATOR);

    public CodeField(Optional<CodeSystem> system, boolean required) {
        this(system, required, DEFAULT_SEPARATOR, false);
    }

    /** The treatment of a document without codes. */
    private enum Uncoded {
        FAIL,
        KEEP
    }

    static CodeField of(FormatOptions options) {
        Uncoded uncoded = options.enumValue("uncoded", Uncoded.class).orElse(Uncoded.FAIL);
        return new CodeField(
                options.enumValue("system", CodeSystem.class),
                uncoded == Uncoded.FAIL,
                options.raw(SEPARATOR).filter(text -> !text.isEmpty()).orElse(DEFAULT_SEPARATOR),
                options.raw(SEPARATOR).isPresent());
    }

    String normalize(String code) {
        return system.map(known -> known.canonical(code)).orElse(code.strip());
    }

    /** The normalized codes that are not blank. */
    Set<String> parse(Collection<String> codes, String where) {
        Set<String> parsed = new TreeSet<>();
        codes.stream().filter(code -> !code.isBlank()).map(this::normalize).forEach(parsed::add);
        if (parsed.stream().anyMatch(code -> code.codePoints().anyMatch(Character::isISOControl))) {
            throw new UserError("A code contains a tab, a line break or a control character", where, "remove it");
        }
        if (parsed.isEmpty() && required) {
            throw new UserError("The document has no codes", where, "add its codes, or remove the document");
        }
        return parsed;
    }
}
