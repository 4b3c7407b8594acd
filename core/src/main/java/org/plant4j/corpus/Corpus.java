package org.plant4j.corpus;

import java.util.stream.Stream;

/** Documents that can be read again and again, one at a time, always in the same order. */
public interface Corpus {

    /** A short name for messages and tables. */
    String name();

    /** Opens the corpus anew; close the stream after use. */
    Stream<Document> documents();
}
