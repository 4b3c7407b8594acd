package org.plant4j.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.support.Arguments;

/**
 * A batch of documents split into segments of at most {@code length} tokens. All documents end in the last segment; a
 * shorter document starts in a later one and has no tokens before. Segments are created on demand, so that long documents
 * take no more memory than short ones.
 */
public record Segments(List<int[]> documents, int length, boolean training, Compute compute) {

    public Segments {
        Arguments.atLeast(1, "length", length);
        documents = documents.stream().map(Batch::nonEmpty).toList();
    }

    /** Number of segments, that of the longest document. */
    public int count() {
        return documents.stream().mapToInt(this::segmentCount).max().orElse(0);
    }

    private int segmentCount(int[] document) {
        return (document.length - 1) / length + 1;
    }

    /** A segment; its tensors belong to the open scope. */
    public Batch get(int index) {
        int count = count();
        return Batch.of(
                documents.stream()
                        .map(document -> slice(document, index - count + segmentCount(document)))
                        .toList(),
                compute,
                training);
    }

    /** The position in a document of the first token of a segment; negative if the document starts in a later segment. */
    public int start(int document, int index) {
        return (index - count() + segmentCount(documents.get(document))) * length;
    }

    private int[] slice(int[] document, int index) {
        int start = index * length;
        return index < 0
                ? new int[0]
                : Arrays.copyOfRange(document, start, start + Math.min(length, document.length - start));
    }

    /** Number of segments before the first that holds any of the last {@code window} tokens of a document. */
    public int countBefore(int window) {
        int count = count();
        return documents.stream()
                .mapToInt(document -> count - segmentCount(document) + Math.max(0, document.length - window) / length)
                .min()
                .orElse(0);
    }

    /** Segment indices from {@code first} on. */
    public IntStream indicesFrom(int first) {
        return IntStream.range(first, count());
    }
}
