package org.plant4j.text;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;
import org.plant4j.support.Arguments;

/**
 * Counts tokens exactly and in bounded memory. Beyond {@code capacity} distinct tokens it moves the counts to a temporary
 * file, sorted by token; reading merges the files. The result does not depend on the order of additions, so the counts of
 * the parts of a corpus add up to those of the whole.
 */
final class TokenCounter implements AutoCloseable {

    private final int capacity;
    private final Map<String, long[]> counts = new HashMap<>();
    private final List<FileChannel> files = new ArrayList<>();
    private long total;

    TokenCounter(int capacity) {
        this.capacity = Arguments.atLeast(1, "capacity", capacity);
    }

    void add(String token, long count) {
        counts.computeIfAbsent(token, t -> new long[1])[0] += count;
        total += count;
        if (counts.size() > capacity) {
            moveToFile();
        }
    }

    /** The sum of all counts. */
    long total() {
        return total;
    }

    private void moveToFile() {
        try {
            Path path = Files.createTempFile("plant4j-token-counts", "");
            // On Unix the file has no name from now on, so that it goes away with the process in any case.
            FileChannel file = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
            files.add(file);
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(file)));
            for (Map.Entry<String, long[]> entry : new TreeMap<>(counts).entrySet()) {
                out.writeInt(entry.getKey().length());
                out.writeChars(entry.getKey());
                out.writeLong(entry.getValue()[0]);
            }
            out.flush();
            counts.clear();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write token counts to the directory for temporary files", e);
        }
    }

    /** Passes on each distinct token once with its count; in no particular order. */
    void forEach(ObjLongConsumer<String> action) {
        if (files.isEmpty()) {
            counts.forEach((token, count) -> action.accept(token, count[0]));
            return;
        }
        if (!counts.isEmpty()) {
            moveToFile();
        }
        try {
            merge(action);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read token counts", e);
        }
    }

    private void merge(ObjLongConsumer<String> action) throws IOException {
        PriorityQueue<SortedCounts> next = new PriorityQueue<>(Comparator.comparing((SortedCounts file) -> file.token));
        for (FileChannel file : files) {
            next.add(new SortedCounts(file)); // no file is empty
        }
        while (!next.isEmpty()) {
            String token = next.element().token;
            long count = 0;
            while (!next.isEmpty() && next.element().token.equals(token)) {
                SortedCounts file = next.remove();
                count += file.count;
                if (file.advance()) {
                    next.add(file);
                }
            }
            action.accept(token, count);
        }
    }

    @Override
    public void close() {
        try {
            for (FileChannel file : files) {
                file.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the tokens of a file one by one. */
    private static final class SortedCounts {

        private final DataInputStream in;
        private final FileChannel file;
        private final long size;
        private long position;
        private String token = "";
        private long count;

        SortedCounts(FileChannel file) throws IOException {
            this.file = file.position(0);
            this.size = file.size();
            this.in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(this.file)));
            advance();
        }

        boolean advance() throws IOException {
            if (position == size) {
                return false;
            }
            char[] characters = new char[in.readInt()];
            for (int i = 0; i < characters.length; i++) {
                characters[i] = in.readChar();
            }
            token = new String(characters);
            count = in.readLong();
            position += Integer.BYTES + (long) Character.BYTES * characters.length + Long.BYTES;
            return true;
        }
    }
}
