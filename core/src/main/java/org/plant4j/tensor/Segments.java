package org.plant4j.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Documents cut into segments of at most {@code length} tokens. They end together: a shorter document begins in a later
 * segment, and has no token in those before. A segment is made when it is asked for, so that long documents take no more
 * memory than short ones.
 */
public record Segments(List<int[]> documents, int length, boolean training, Compute compute) {

    public Segments {
        if (length < 1) {
            throw new IllegalArgumentException("length: " + length + " (expected: >= 1)");
        }
        documents = documents.stream().map(Batch::nonEmpty).toList();
    }

    /** How many segments the longest document has. */
    public int count() {
        return documents.stream().mapToInt(this::segmentCount).max().orElse(0);
    }

    private int segmentCount(int[] document) {
        return (document.length - 1) / length + 1;
    }

    /** One of them, as tensors of the scope that is open. */
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

    /** How many segments come before the first one that has any of a document's last {@code window} tokens. */
    public int countBefore(int window) {
        int count = count();
        return documents.stream()
                .mapToInt(document -> count - segmentCount(document) + Math.max(0, document.length - window) / length)
                .min()
                .orElse(0);
    }

    /** The numbers of the segments from one on. */
    public IntStream indicesFrom(int first) {
        return IntStream.range(first, count());
    }
}
