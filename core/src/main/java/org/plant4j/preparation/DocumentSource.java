package org.plant4j.preparation;

import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.plant4j.text.EncodedDocument;
import org.plant4j.text.Vocabulary;

/**
 * The documents of a split with the passes that {@link CorpusPreparer} makes over them. {@link CorpusDocuments} reads them
 * in this process. An implementation may divide them between processes: all results are sums, or are collected in corpus
 * order, so they do not depend on how documents are divided.
 */
public interface DocumentSource {

    /** The name of the corpus, for messages. */
    String name();

    /** Adds the tokens of the documents that pass the filter, and the number of documents per code. */
    void count(TextFilter filter, Vocabulary.Builder tokens, Map<String, Integer> documentsByCode);

    /** The {@linkplain TextFilter#fingerprint fingerprints} of all texts. */
    Set<Long> fingerprints();

    /**
     * Assigns ids to the codes of all documents in corpus order. A source that encodes one document after another can
     * leave this to the encoder.
     */
    default void assignIds(GoldLabels labels) {}

    /** Encodes the documents and passes them on in corpus order. */
    void encode(DocumentEncoder encoder, Consumer<EncodedDocument> sink);
}
