package org.plant4j.text;

import java.util.List;
import org.plant4j.Span;
import org.plant4j.support.Arguments;

/** The tokens of a text, in order, each with its span. */
public record TokenizedText(List<String> tokens, List<Span> spans) {

    public TokenizedText {
        tokens = List.copyOf(tokens);
        spans = List.copyOf(spans);
        Arguments.check(tokens.size() == spans.size(), "spans", spans.size(), "one per token: " + tokens.size());
    }

    public int size() {
        return tokens.size();
    }

    /** Whether a token continues the word of the previous one, as subwords do: adjacent, with letters or digits on both sides. */
    public boolean continuesWord(int token) {
        return token > 0
                && spans.get(token).start() == spans.get(token - 1).end()
                && isWordCharacter(stripPrefix(tokens.get(token - 1)), false)
                && isWordCharacter(stripPrefix(tokens.get(token)), true);
    }

    /** Removes WordPiece's prefix of continuation tokens. */
    private static String stripPrefix(String token) {
        return token.startsWith("##") ? token.substring(2) : token;
    }

    private static boolean isWordCharacter(String token, boolean first) {
        return !token.isEmpty()
                && Character.isLetterOrDigit(first ? token.codePointAt(0) : token.codePointBefore(token.length()));
    }
}
