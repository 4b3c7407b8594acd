package org.plant4j.text;

/** Cuts a text into tokens and remembers where each stood. */
public interface Tokenizer {

    Tokens tokenize(String text);
}
