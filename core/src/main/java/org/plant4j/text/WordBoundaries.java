package org.plant4j.text;

import java.util.BitSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Finds the subword tokens that continue a word. WordPiece marks these ({@code ##ing}); SentencePiece and byte-level BPE
 * mark the start of a word by its preceding space ({@code ▁heart}, {@code Ġheart}), and there punctuation starts a word.
 */
public final class WordBoundaries {

    private static final String CONTINUES = "##";
    private static final String SENTENCE_PIECE = "▁";
    private static final String BYTE_LEVEL = "Ġ";

    /** Space, tab, line feed and carriage return in byte-level BPE. */
    private static final String BYTE_LEVEL_SPACES = "ĠĉĊč";

    private WordBoundaries() {}

    /** Ids of the tokens that continue a word. */
    public static BitSet continuationTokens(Vocabulary vocabulary) {
        Predicate<String> continues;
        if (anyStartsWith(vocabulary, CONTINUES)) {
            continues = token -> token.startsWith(CONTINUES) && token.length() > CONTINUES.length();
        } else if (anyStartsWith(vocabulary, SENTENCE_PIECE)) {
            continues = WordBoundaries::startsWithLetterOrDigit; // the mark itself is not a letter
        } else if (anyStartsWith(vocabulary, BYTE_LEVEL)) {
            continues = token -> startsWithLetterOrDigit(token) && BYTE_LEVEL_SPACES.indexOf(token.charAt(0)) < 0;
        } else {
            continues = token -> false;
        }
        BitSet continuation = new BitSet(vocabulary.size());
        ids(vocabulary).filter(id -> continues.test(vocabulary.token(id))).forEach(continuation::set);
        return continuation;
    }

    private static boolean anyStartsWith(Vocabulary vocabulary, String mark) {
        return ids(vocabulary).anyMatch(id -> vocabulary.token(id).startsWith(mark));
    }

    private static IntStream ids(Vocabulary vocabulary) {
        return IntStream.range(Vocabulary.UNKNOWN + 1, vocabulary.size());
    }

    private static boolean startsWithLetterOrDigit(String token) {
        return !token.isEmpty() && Character.isLetterOrDigit(token.codePointAt(0));
    }
}
