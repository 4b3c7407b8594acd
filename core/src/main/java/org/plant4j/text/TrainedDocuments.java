package org.plant4j.text;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.plant4j.support.AtomicFile;

/**
 * The documents that a model has been trained on, by 64-bit fingerprints of their token ids. Training that continues on some
 * of them again recognizes them. Documents of the same text cannot be told apart.
 */
public final class TrainedDocuments implements Serializable {

    private static final long serialVersionUID = 1;

    /** No document is known. */
    public static final TrainedDocuments NONE = new TrainedDocuments(LongStream.empty());

    private final long[] fingerprints; // ascending, without duplicates

    private TrainedDocuments(LongStream fingerprints) {
        this.fingerprints = fingerprints.sorted().distinct().toArray();
    }

    public static TrainedDocuments of(Dataset documents) {
        return new TrainedDocuments(
                IntStream.range(0, documents.size()).mapToLong(document -> fingerprint(documents.tokens(document))));
    }

    /** The fingerprint of a document. */
    public static long fingerprint(int[] tokens) {
        long hash = tokens.length;
        for (int token : tokens) {
            hash = (hash ^ token) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        return hash;
    }

    public boolean contains(int[] tokens) {
        return Arrays.binarySearch(fingerprints, fingerprint(tokens)) >= 0;
    }

    /** How many of the documents are not among these. */
    public int countNew(Dataset documents) {
        return (int) IntStream.range(0, documents.size())
                .filter(document -> !contains(documents.tokens(document)))
                .count();
    }

    public TrainedDocuments plus(TrainedDocuments other) {
        return new TrainedDocuments(LongStream.concat(Arrays.stream(fingerprints), Arrays.stream(other.fingerprints)));
    }

    /** Writes the fingerprints in ascending order, eight bytes each. */
    public void write(Path file) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(Long.BYTES, fingerprints.length));
        bytes.asLongBuffer().put(fingerprints);
        AtomicFile.write(file, draft -> Files.write(draft, bytes.array()));
    }

    public static TrainedDocuments read(Path file) {
        try {
            long[] read = new long[(int) (Files.size(file) / Long.BYTES)];
            ByteBuffer.wrap(Files.readAllBytes(file)).asLongBuffer().get(read);
            return new TrainedDocuments(Arrays.stream(read));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
