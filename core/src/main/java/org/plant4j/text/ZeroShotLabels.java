package org.plant4j.text;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.plant4j.corpus.codeset.CodeSet;

/** Which codes without training documents a model may predict, by their descriptions in the code sets. */
public enum ZeroShotLabels {
    NONE,

    /** Valid codes that share their parent with a trained code. */
    SIBLINGS,

    /** All valid codes. */
    CODE_SET;

    /** The selected codes of a code set, in its order; trained codes may be among them. */
    public List<String> select(CodeSet codeSet, Collection<String> trained) {
        return codeSet.entries().stream()
                .filter(CodeSet.Entry::valid)
                .map(CodeSet.Entry::code)
                .filter(selector(codeSet, trained))
                .toList();
    }

    private Predicate<String> selector(CodeSet codeSet, Collection<String> trained) {
        if (this != SIBLINGS) {
            return code -> this == CODE_SET;
        }
        Set<String> parents = new HashSet<>();
        trained.forEach(code -> parent(codeSet, code).ifPresent(parents::add));
        return code -> parent(codeSet, code).filter(parents::contains).isPresent();
    }

    private static Optional<String> parent(CodeSet codeSet, String code) {
        return codeSet.ancestors(code).stream().findFirst().map(CodeSet.Entry::code);
    }
}
