package org.plant4j.text;

/** Splits a text into tokens with their spans. */
public interface Tokenizer extends AutoCloseable {

    TokenizedText tokenize(String text);

    /** Releases native memory, if any. */
    @Override
    default void close() {}
}
