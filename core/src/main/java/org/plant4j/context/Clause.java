package org.plant4j.context;

import java.util.List;
import org.plant4j.Span;

/**
 * A clause of a document: words without punctuation marks, conjunctions and terms such as "no" among them.
 *
 * @param words the spans of its words, in order
 * @param functionWords whether each word carries no clinical meaning, such as "of" or a number
 * @param numbers whether each word is a number
 */
public record Clause(List<Span> words, List<Boolean> functionWords, List<Boolean> numbers) {

    public Clause {
        words = List.copyOf(words);
        functionWords = List.copyOf(functionWords);
        numbers = List.copyOf(numbers);
    }

    public int size() {
        return words.size();
    }

    public boolean isFunctionWord(int word) {
        return functionWords.get(word);
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
        for (int w = word + 1; w < words.size() && (numbers.get(w) || continuesNumber(w)); w++) {
            end = numbers.get(w) ? w : end;
        }
        return end;
    }

    /** Whether a word is a mark such as the one in "12.9". */
    private boolean continuesNumber(int word) {
        return numbers.get(word - 1)
                && words.get(word).start() == words.get(word - 1).end();
    }

    /** The text from one word to another, inclusive. */
    public Span span(int first, int last) {
        return new Span(words.get(first).start(), words.get(last).end());
    }
}
