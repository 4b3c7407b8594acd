package org.plant4j.inspection;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.corpus.Corpus;
import org.plant4j.text.WordTokenizer;

/**
 * What decides which model suits a corpus.
 *
 * @param documents training documents
 * @param labels distinct codes of the training documents
 * @param tokens mean number of tokens per training document
 * @param codes mean number of codes per training document
 * @param evidence share of the training documents with gold evidence
 */
public record CorpusFacts(int documents, int labels, double tokens, double codes, double evidence) {

    /** Enough for the mean length; documents and codes are counted to the end, which takes less time. */
    private static final int TOKENIZED_DOCUMENTS = 50_000;

    public static CorpusFacts of(Corpus train) {
        WordTokenizer tokenizer = new WordTokenizer();
        Set<String> codes = new HashSet<>();
        long[] counts = new long[4]; // documents, tokens, documents with evidence, codes
        try (Stream<Document> documents = train.documents()) {
            documents.forEachOrdered(document -> {
                codes.addAll(document.codes());
                if (counts[0] < TOKENIZED_DOCUMENTS) {
                    counts[1] += tokenizer.tokenize(document.text()).size();
                }
                counts[0]++;
                counts[2] += document.evidence().isEmpty() ? 0 : 1;
                counts[3] += document.codes().size();
            });
        }
        double size = Math.max(1, counts[0]);
        double tokens = counts[1] / Math.min(TOKENIZED_DOCUMENTS, size);
        return new CorpusFacts((int) counts[0], codes.size(), tokens, counts[3] / size, counts[2] / size);
    }

    /** Mean number of training documents per label. */
    double documentsPerLabel() {
        return documents * codes / Math.max(1, labels);
    }
}
