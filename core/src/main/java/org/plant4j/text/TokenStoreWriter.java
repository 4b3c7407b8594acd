package org.plant4j.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Streams documents into a {@link TokenStore}. The store appears under its name when {@link #finish()} completes; closing
 * the writer before that removes all files.
 */
public final class TokenStoreWriter implements AutoCloseable {

    private final Path file;
    private final Output records;
    private final Output offsets; // in its own file until the records are complete, so that it needs no heap space
    private long documents;
    private long tokens;

    TokenStoreWriter(Path file) {
        this.file = file;
        try {
            records = new Output(file.resolveSibling(file.getFileName() + ".part"));
            offsets = new Output(file.resolveSibling(file.getFileName() + ".offsets.part"));
            for (int i = 0; i < TokenStore.HEADER; i++) {
                records.put(0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void add(EncodedDocument document) {
        int[] tokenIds = document.tokens();
        int[] labelIds = document.labels();
        List<TokenEvidence> evidence = document.evidence();
        byte[] name = document.id().getBytes(StandardCharsets.UTF_8);
        ByteBuffer padded = ByteBuffer.allocate((name.length + 3) / Integer.BYTES * Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        padded.put(name).rewind();
        try {
            offsets.put(records.position);
            records.put(tokenIds.length);
            records.put(labelIds.length);
            records.put(evidence.size());
            records.put(name.length);
            records.put(tokenIds);
            records.put(labelIds);
            for (TokenEvidence entry : evidence) {
                records.put(new int[] {entry.label(), entry.start(), entry.end()});
            }
            while (padded.hasRemaining()) {
                records.put(padded.getInt());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        documents++;
        tokens += tokenIds.length;
    }

    /** The number of documents added so far. */
    public long documents() {
        return documents;
    }

    /**
     * Completes the store and moves it to its name atomically. Does not open it, since Windows cannot delete a mapped file
     * if a later step fails.
     */
    public void finish() {
        try {
            long table = records.position;
            offsets.flush();
            records.append(offsets);
            records.rewind();
            records.put(TokenStore.MAGIC);
            records.put(TokenStore.VERSION);
            records.put(0);
            records.put(documents);
            records.put(tokens);
            records.put(table);
            records.flush();
            records.channel.force(true);
            records.channel.close();
            Files.move(records.path, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            records.discard();
            offsets.discard();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A buffered file of little-endian ints. */
    private static final class Output {

        private final Path path;
        private final FileChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        private long position; // in ints

        Output(Path path) throws IOException {
            this.path = path;
            channel = FileChannel.open(
                    path,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
        }

        void put(int value) throws IOException {
            if (!buffer.hasRemaining()) {
                flush();
            }
            buffer.putInt(value);
            position++;
        }

        void put(long value) throws IOException {
            put((int) value);
            put((int) (value >>> 32));
        }

        void put(int[] values) throws IOException {
            for (int value : values) {
                put(value);
            }
        }

        void flush() throws IOException {
            buffer.flip();
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            buffer.clear();
        }

        void append(Output other) throws IOException {
            flush();
            long done = 0;
            while (done < other.channel.size()) {
                done += other.channel.transferTo(done, other.channel.size() - done, channel);
            }
        }

        void rewind() throws IOException {
            flush();
            channel.position(0);
        }

        void discard() throws IOException {
            channel.close();
            Files.deleteIfExists(path);
        }
    }
}
