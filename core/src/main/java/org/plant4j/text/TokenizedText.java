package org.plant4j.text;

import java.util.List;
import org.plant4j.corpus.Span;

/** The tokens of one text in order, each with the characters it came from. */
public record TokenizedText(List<String> tokens, List<Span> spans) {

    public TokenizedText {
        tokens = List.copyOf(tokens);
        spans = List.copyOf(spans);
        if (tokens.size() != spans.size()) {
            throw new IllegalArgumentException("tokens: " + tokens.size() + " words, " + spans.size() + " spans");
        }
    }

    public int size() {
        return tokens.size();
    }

    /** Whether a token goes on with the word of the one before it, as pieces do: nothing but letters where they meet. */
    public boolean continuesWord(int token) {
        return token > 0
                && spans.get(token).start() == spans.get(token - 1).end()
                && isWord(bare(tokens.get(token - 1)), false)
                && isWord(bare(tokens.get(token)), true);
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
