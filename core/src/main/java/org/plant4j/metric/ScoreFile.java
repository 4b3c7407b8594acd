package org.plant4j.metric;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.plant4j.support.Arguments;

/**
 * Scores in a temporary file, for splits whose scores do not fit into memory; closing it deletes the file. A row is either
 * all scores or, where that is shorter, the labels with a score above or below 0 followed by these scores.
 */
public final class ScoreFile implements Scores, AutoCloseable {

    private final FileChannel channel;
    private final int labels;
    private final long[] start; // position of each row; the last one is the end
    private int appended;

    /** Creates an empty file, to which as many rows must be appended as there are documents. */
    public ScoreFile(Path file, int documents, int labels) {
        this.labels = labels;
        this.start = new long[documents + 1];
        try {
            this.channel = FileChannel.open(
                    file,
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Appends the scores of the next document. */
    public void append(float[] row) {
        Arguments.check(row.length == labels, "labels", row.length, "" + labels);
        ByteBuffer bytes = encode(row);
        long position = start[appended];
        start[++appended] = position + bytes.remaining();
        try {
            while (bytes.hasRemaining()) {
                position += channel.write(bytes, position);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuffer encode(float[] row) {
        int size = 0;
        for (float score : row) {
            size += score != 0 ? 1 : 0;
        }
        boolean sparse = size < row.length / 2;
        ByteBuffer bytes = ByteBuffer.allocate((sparse ? 2 * size : row.length) * Float.BYTES);
        if (!sparse) {
            bytes.asFloatBuffer().put(row);
            return bytes;
        }
        for (int label = 0; label < row.length; label++) {
            if (row[label] != 0) {
                bytes.putInt(label);
            }
        }
        for (float score : row) {
            if (score != 0) {
                bytes.putFloat(score);
            }
        }
        return bytes.flip();
    }

    /** The size of the file in bytes. */
    public long size() {
        return start[appended];
    }

    @Override
    public int documents() {
        return start.length - 1;
    }

    @Override
    public int labels() {
        return labels;
    }

    @Override
    public float[] row(int document) {
        if (document >= appended) {
            throw new IllegalStateException("document " + document + " has not been appended");
        }
        int size = (int) (start[document + 1] - start[document]) / Float.BYTES;
        ByteBuffer bytes = read(start[document], size * Float.BYTES);
        float[] row = new float[labels];
        if (size == labels) {
            bytes.asFloatBuffer().get(row);
            return row;
        }
        IntBuffer positions = bytes.asIntBuffer();
        FloatBuffer values = bytes.asFloatBuffer();
        for (int i = 0; i < size / 2; i++) {
            row[positions.get(i)] = values.get(size / 2 + i);
        }
        return row;
    }

    private ByteBuffer read(long position, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try {
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, position + bytes.position()) < 0) {
                    throw new IOException("the file of scores is truncated");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.flip();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
