package org.plant4j.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.plant4j.UserError;

/**
 * A memory-mapped file with the ids, token ids, label ids and gold evidence of the documents of a split, in corpus order. Documents take
 * no heap space, so a corpus larger than the heap can be trained on.
 *
 * <p>The file is a sequence of little-endian ints; values marked (2) are longs. Header: magic (2), version, 0, number of
 * documents (2), total number of tokens (2), position of the offset table (2). Then per document: number of tokens,
 * number of labels, number of evidence entries, length of the id in bytes, tokens, labels, evidence (label, start, end), id
 * in UTF-8 padded with zeros. Then the offset table: the
 * position of each document (2). Positions count ints.
 */
public final class TokenStore implements Dataset {

    static final long MAGIC = 0x534E454B4F543450L; // "P4TOKENS"
    public static final int VERSION = 2;
    static final int HEADER = 10;
    static final int DOCUMENT_HEADER = 4;
    static final int EVIDENCE_SIZE = 3;

    private final MappedIntArray ints;
    private final int size;
    private final long totalTokens;
    private final long table;

    private TokenStore(MappedIntArray ints, int size, long totalTokens, long table) {
        this.ints = ints;
        this.size = size;
        this.totalTokens = totalTokens;
        this.table = table;
    }

    public static TokenStore open(Path file) {
        return open(file, MappedIntArray.CHUNK_SIZE);
    }

    /** Maps the file in chunks of {@code chunkSize} ints. */
    static TokenStore open(Path file, int chunkSize) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MappedIntArray ints = MappedIntArray.map(channel, chunkSize);
            long length = channel.size();
            if (length < HEADER * Integer.BYTES || ints.getLong(0) != MAGIC) {
                throw new UserError(
                        "The file is not a token store",
                        file.toString(),
                        "name a prepared corpus, or prepare it again");
            }
            if (ints.get(2) != VERSION) {
                throw new UserError(
                        "The token store has version " + ints.get(2) + " instead of " + VERSION,
                        file.toString(),
                        "prepare the corpus again with this version of Plant4j");
            }
            long size = ints.getLong(4);
            long table = ints.getLong(8);
            if (size < 0 || size > Integer.MAX_VALUE || (table + 2 * size) * Integer.BYTES != length) {
                throw new UserError(
                        "The token store is damaged: it has " + length + " bytes instead of "
                                + (table + 2 * size) * Integer.BYTES,
                        file.toString(),
                        "prepare the corpus again");
            }
            return new TokenStore(ints, (int) size, ints.getLong(6), table);
        } catch (NoSuchFileException e) {
            throw new UserError("The token store does not exist", file.toString(), "prepare the corpus first", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a new store, which appears under its name when {@link TokenStoreWriter#finish} completes. */
    public static TokenStoreWriter create(Path file) {
        return new TokenStoreWriter(file);
    }

    @Override
    public int size() {
        return size;
    }

    /** The number of tokens of all documents. */
    public long totalTokens() {
        return totalTokens;
    }

    public String id(int document) {
        long at = offset(document);
        int bytes = ints.get(at + 3);
        int[] padded =
                ints.get(evidenceStart(at) + (long) EVIDENCE_SIZE * ints.get(at + 2), (bytes + 3) / Integer.BYTES);
        ByteBuffer buffer = ByteBuffer.allocate(padded.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asIntBuffer().put(padded);
        return new String(buffer.array(), 0, bytes, StandardCharsets.UTF_8);
    }

    @Override
    public int length(int document) {
        return ints.get(offset(document));
    }

    @Override
    public int[] tokens(int document) {
        long at = offset(document);
        return ints.get(at + DOCUMENT_HEADER, ints.get(at));
    }

    @Override
    public int[] labels(int document) {
        long at = offset(document);
        return ints.get(at + DOCUMENT_HEADER + ints.get(at), ints.get(at + 1));
    }

    @Override
    public List<TokenEvidence> evidence(int document) {
        long at = offset(document);
        int[] values = ints.get(evidenceStart(at), EVIDENCE_SIZE * ints.get(at + 2));
        return IntStream.range(0, ints.get(at + 2))
                .map(i -> EVIDENCE_SIZE * i)
                .mapToObj(i -> new TokenEvidence(values[i], values[i + 1], values[i + 2]))
                .toList();
    }

    /** The position of the evidence of the document at {@code at}. */
    private long evidenceStart(long at) {
        return at + DOCUMENT_HEADER + ints.get(at) + ints.get(at + 1);
    }

    private long offset(int document) {
        return ints.getLong(table + 2L * Objects.checkIndex(document, size));
    }
}
