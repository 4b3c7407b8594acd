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
}
