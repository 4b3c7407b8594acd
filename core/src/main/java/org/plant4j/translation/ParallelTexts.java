package org.plant4j.translation;

import java.util.List;
import org.plant4j.text.WordTokenizer;

/** Splits a text and its translation into pairs of sentences, each as its words. */
public final class ParallelTexts {

    /** Longer sentences are left out: memory grows with the product of the lengths, and they align few words well. */
    private static final int MAX_WORDS = 200;

    private static final WordTokenizer TOKENIZER = new WordTokenizer();

    private ParallelTexts() {}

    /** The pairs of an English text and a text of another language, in order. */
    public static List<TextPair> pairs(String english, String other) {
        return SentenceAligner.align(english, other).stream()
                .map(aligned -> new TextPair(
                        TOKENIZER.tokenize(aligned.source()).tokens(),
                        TOKENIZER.tokenize(aligned.target()).tokens()))
                .filter(pair -> Math.max(pair.source().size(), pair.target().size()) <= MAX_WORDS)
                .toList();
    }
}
