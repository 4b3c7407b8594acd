package org.plant4j.encoder.importer;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that were read, to find out where a pickle ends. */
final class CountingStream extends FilterInputStream {

    private long position;

    CountingStream(InputStream in) {
        super(new BufferedInputStream(in));
    }

    long position() {
        return position;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        position += value < 0 ? 0 : 1;
        return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = super.read(bytes, offset, length);
        position += Math.max(0, count);
        return count;
    }
}
