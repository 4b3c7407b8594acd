package org.plant4j.pretrain;

import java.util.BitSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.plant4j.text.Vocabulary;

/**
 * Which pieces go on with the word of the piece before them. WordPiece marks those ({@code ##ing}); SentencePiece and
 * byte-level BPE mark the others, by the blank before a word ({@code ▁heart}, {@code Ġheart}), and there punctuation
 * stands for itself.
 */
final class WordBoundaries {

    private static final String CONTINUES = "##";
    private static final String SENTENCE_PIECE = "▁";
    private static final String BYTE_LEVEL = "Ġ";

    /** How byte-level BPE writes blank, tab, line feed and carriage return, in turn. */
    private static final String BYTE_LEVEL_BLANKS = "ĠĉĊč";

    private WordBoundaries() {}

    static BitSet continuationTokens(Vocabulary pieces) {
        Predicate<String> continues;
        if (any(pieces, CONTINUES)) {
            continues = piece -> piece.startsWith(CONTINUES) && piece.length() > CONTINUES.length();
        } else if (any(pieces, SENTENCE_PIECE)) {
            continues = WordBoundaries::beginsWithALetter; // the mark itself is none
        } else if (any(pieces, BYTE_LEVEL)) {
            continues = piece -> beginsWithALetter(piece) && BYTE_LEVEL_BLANKS.indexOf(piece.charAt(0)) < 0;
        } else {
            continues = piece -> false;
        }
        BitSet continuing = new BitSet(pieces.size());
        ids(pieces).filter(id -> continues.test(pieces.token(id))).forEach(continuing::set);
        return continuing;
    }

    private static boolean any(Vocabulary pieces, String mark) {
        return ids(pieces).anyMatch(id -> pieces.token(id).startsWith(mark));
    }

    private static IntStream ids(Vocabulary pieces) {
        return IntStream.range(Vocabulary.UNKNOWN + 1, pieces.size());
    }

    private static boolean beginsWithALetter(String piece) {
        return !piece.isEmpty() && Character.isLetterOrDigit(piece.codePointAt(0));
    }
}
