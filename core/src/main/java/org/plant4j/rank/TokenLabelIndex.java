package org.plant4j.rank;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.plant4j.text.Dataset;
import org.plant4j.text.DocumentCounts;

/**
 * The distinct tokens of each document and the documents of each label, from which tokens are counted one label at a time.
 * The counts of the parts of a corpus add up to those of the whole.
 */
public final class TokenLabelIndex {

    private final int[][] tokens; // by document: distinct, ascending
    private final int[] starts; // by label, into labelDocuments
    private final int[] labelDocuments;

    private TokenLabelIndex(int[][] tokens, int[] starts, int[] labelDocuments) {
        this.tokens = tokens;
        this.starts = starts;
        this.labelDocuments = labelDocuments;
    }

    /** Reads each document once; skips padding, unknown tokens, and labels from {@code labels} on. */
    public static TokenLabelIndex of(Dataset dataset, int vocabularySize, int labels) {
        int[][] tokens = new int[dataset.size()][];
        int[][] labelsOf = new int[dataset.size()][];
        IntStream.range(0, dataset.size()).parallel().forEach(document -> {
            tokens[document] = DocumentCounts.distinctTokens(dataset.tokens(document), vocabularySize);
            labelsOf[document] = dataset.labels(document);
        });
        int[] starts = new int[labels + 1];
        for (int[] documentLabels : labelsOf) {
            for (int label : documentLabels) {
                if (label < labels) {
                    starts[label + 1]++;
                }
            }
        }
        Arrays.parallelPrefix(starts, Math::addExact);
        int[] labelDocuments = new int[starts[labels]];
        int[] ends = starts.clone();
        for (int document = 0; document < tokens.length; document++) {
            for (int label : labelsOf[document]) {
                if (label < labels) {
                    labelDocuments[ends[label]++] = document;
                }
            }
        }
        return new TokenLabelIndex(tokens, starts, labelDocuments);
    }

    /** The number of documents with the label. */
    public int labelFrequency(int label) {
        return starts[label + 1] - starts[label];
    }

    /** Counts the tokens of the documents with a label. */
    public DocumentCounts count(int label, DocumentCounts.Counter counter) {
        for (int i = starts[label]; i < starts[label + 1]; i++) {
            counter.add(tokens[labelDocuments[i]]);
        }
        return counter.take();
    }

    /** Counts the tokens of all documents. */
    public DocumentCounts countAll(DocumentCounts.Counter counter) {
        for (int[] document : tokens) {
            counter.add(document);
        }
        return counter.take();
    }
}
