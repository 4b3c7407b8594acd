package org.plant4j.text;

import java.util.List;
import org.plant4j.corpus.Span;

/** The tokens of one text in order, each with the characters it came from. */
public record Tokens(List<String> words, List<Span> spans) {

    public Tokens {
        words = List.copyOf(words);
        spans = List.copyOf(spans);
        if (words.size() != spans.size()) {
            throw new IllegalArgumentException("tokens: " + words.size() + " words, " + spans.size() + " spans");
        }
    }

    public int size() {
        return words.size();
    }

    /** Whether a token goes on with the word of the one before it, as pieces do: nothing but letters where they meet. */
    public boolean continues(int token) {
        return token > 0
                && spans.get(token).start() == spans.get(token - 1).end()
                && isWord(bare(words.get(token - 1)), false)
                && isWord(bare(words.get(token)), true);
    }

    /** Without WordPiece's mark of a piece that goes on. */
    private static String bare(String piece) {
        return piece.startsWith("##") ? piece.substring(2) : piece;
    }

    private static boolean isWord(String piece, boolean first) {
        return !piece.isEmpty()
                && Character.isLetterOrDigit(first ? piece.codePointAt(0) : piece.codePointBefore(piece.length()));
    }
}
