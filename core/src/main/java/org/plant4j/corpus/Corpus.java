package org.plant4j.corpus;

import java.util.stream.Stream;
import org.plant4j.Document;

/** A collection of documents that can be streamed any number of times, always in the same order. */
public interface Corpus {

    /** A short name for messages and tables. */
    String name();

    /** Opens a new stream over the documents; the caller closes it. */
    Stream<Document> documents();
}
