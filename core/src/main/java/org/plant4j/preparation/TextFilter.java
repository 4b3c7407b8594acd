package org.plant4j.preparation;

import java.io.Serializable;
import java.util.HashSet;
import java.util.Set;
import org.plant4j.text.TokenizedText;

/** Excludes texts by their fingerprints. */
public final class TextFilter implements Serializable {

    private static final long serialVersionUID = 1;

    /** Excludes nothing. */
    public static final TextFilter NONE = new TextFilter(Set.of());

    private final HashSet<Long> excluded;

    public TextFilter(Set<Long> excluded) {
        this.excluded = new HashSet<>(excluded);
    }

    public boolean accepts(TokenizedText text) {
        return excluded.isEmpty() || !excluded.contains(fingerprint(text));
    }

    /** A 64-bit FNV-1a hash of the tokens, which ignores layout. */
    public static long fingerprint(TokenizedText text) {
        long hash = 0xcbf29ce484222325L;
        for (String token : text.tokens()) {
            for (int i = 0; i < token.length(); i++) {
                hash = (hash ^ token.charAt(i)) * 0x100000001b3L;
            }
            hash = (hash ^ ' ') * 0x100000001b3L;
        }
        return hash;
    }
}
