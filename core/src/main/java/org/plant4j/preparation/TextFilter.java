package org.plant4j.preparation;

import java.io.Serializable;
import java.util.HashSet;
import java.util.Set;
import org.plant4j.text.TokenizedText;

/** Decides by its tokens whether a text is used. */
@FunctionalInterface
public interface TextFilter extends Serializable {

    /** Uses every text. */
    TextFilter NONE = text -> true;

    boolean accepts(TokenizedText text);

    /** Excludes texts by their {@linkplain #fingerprint fingerprints}. */
    static TextFilter excluding(Set<Long> fingerprints) {
        HashSet<Long> excluded = new HashSet<>(fingerprints);
        return text -> !excluded.contains(fingerprint(text));
    }

    /** A 64-bit FNV-1a hash of the tokens, which ignores layout. */
    static long fingerprint(TokenizedText text) {
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
