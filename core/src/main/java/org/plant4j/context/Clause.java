package org.plant4j.context;

import java.util.List;
import org.plant4j.corpus.Span;

/**
 * A clause of a document: words without punctuation marks, conjunctions and terms such as "no" among them.
 *
 * @param words the spans of its words, in order
 * @param functionWords whether each word carries no clinical meaning, such as "of" or a number
 */
public record Clause(List<Span> words, List<Boolean> functionWords) {

    public Clause {
        words = List.copyOf(words);
        functionWords = List.copyOf(functionWords);
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

    /** The text from one word to another, inclusive. */
    public Span span(int first, int last) {
        return new Span(words.get(first).start(), words.get(last).end());
    }
}
