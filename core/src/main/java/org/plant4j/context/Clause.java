package org.plant4j.context;

import java.util.List;
import org.plant4j.Span;

/**
 * A clause of a document: words without punctuation marks, conjunctions and terms such as "no" among them.
 *
 * @param words the spans of its words, in order
 * @param kinds the kind of each word
 */
public record Clause(List<Span> words, List<Kind> kinds) {

    /** What a word says about the document. */
    public enum Kind {
        /** Nothing, such as "of" or a mark. */
        FUNCTION,
        NUMBER,
        /** Something together with its number, such as "mg". */
        UNIT,
        /** Something together with other words, such as "acute" or "improved". */
        GENERIC,
        /** Something by itself. */
        SPECIFIC;

        boolean hasMeaning() {
            return this == UNIT || this == GENERIC || this == SPECIFIC;
        }
    }

    public Clause {
        words = List.copyOf(words);
        kinds = List.copyOf(kinds);
    }

    public int size() {
        return words.size();
    }

    /** Whether a word carries no clinical meaning, such as "of" or a number. */
    public boolean isFunctionWord(int word) {
        return !kinds.get(word).hasMeaning();
    }

    public boolean isSpecific(int word) {
        return kinds.get(word) == Kind.SPECIFIC;
    }

    /** The first word that overlaps a span, or -1. */
    public int indexOf(Span span) {
        for (int w = 0; w < words.size(); w++) {
            if (words.get(w).overlaps(span)) {
                return w;
            }
        }
        return -1;
    }

    /** The last word of the number after a word, as in "type 2" and "A1c 12.9", or the word itself if there is none. */
    public int endOfNumberAfter(int word) {
        int end = word;
        for (int w = word + 1; w < words.size() && (isNumber(w) || (isNumber(w - 1) && isJoined(w))); w++) {
            end = isNumber(w) ? w : end;
        }
        return end;
    }

    /** The first word of the number before a unit, as in "3/5 strength" and "150 cc/hr", or the word itself. */
    public int startOfNumberBefore(int word) {
        int start = word;
        if (kinds.get(word) == Kind.UNIT) {
            for (int w = word - 1; w >= 0 && (isNumber(w) || kinds.get(w) == Kind.UNIT || isJoined(w + 1)); w--) {
                start = isNumber(w) ? w : start;
            }
        }
        return start;
    }

    private boolean isNumber(int word) {
        return kinds.get(word) == Kind.NUMBER;
    }

    /** Whether a word follows the one before without a space, as the marks in "12.9". */
    private boolean isJoined(int word) {
        return words.get(word).start() == words.get(word - 1).end();
    }

    /** The text from one word to another, inclusive. */
    public Span span(int first, int last) {
        return new Span(words.get(first).start(), words.get(last).end());
    }
}
