package org.plant4j.text;

/** Cuts a text into tokens and remembers where each stood. */
public interface Tokenizer extends AutoCloseable {

    TokenizedText tokenize(String text);

    /** Frees what it holds of native memory, where it holds any. */
    @Override
    default void close() {}
}
