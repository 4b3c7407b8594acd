package org.plant4j.corpus.file;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decompresses a gzip file (RFC 1952) of one or more members. The JDK's {@code GZIPInputStream} takes a damaged header of
 * a later member for the end of the file and drops the rest; here all bytes up to the end of the file must be members.
 */
public final class StrictGzipInputStream extends InputStream {

    private static final int MAGIC = 0x8B1F;
    private static final int DEFLATE = 8;

    private static final int HAS_CHECKSUM = 2;
    private static final int HAS_EXTRA = 4;
    private static final int HAS_NAME = 8;
    private static final int HAS_COMMENT = 16;
    private static final int RESERVED = 0xE0;

    private final InputStream in;
    private final byte[] buffer;
    private int position;
    private int limit;

    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private boolean ended;

    /** Reads the header of the first member. */
    public StrictGzipInputStream(InputStream in, int bufferSize) throws IOException {
        this.in = in;
        this.buffer = new byte[bufferSize];
        try {
            readHeader();
        } catch (IOException e) {
            inflater.end();
            throw e;
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (!ended) {
            int count = inflate(target, offset, length);
            if (count > 0) {
                checksum.update(target, offset, count);
                return count;
            }
            if (inflater.finished()) {
                finishMember();
            } else {
                fill();
                inflater.setInput(buffer, 0, limit);
            }
        }
        return -1;
    }

    private int inflate(byte[] target, int offset, int length) throws ZipException {
        try {
            return inflater.inflate(target, offset, length);
        } catch (DataFormatException e) {
            throw new ZipException("invalid compressed data");
        }
    }

    /** Checks the trailer and begins the next member, if there are more bytes. */
    private void finishMember() throws IOException {
        position = limit - inflater.getRemaining();
        long found = checksum.getValue();
        if (nextInt() != found) {
            throw new ZipException("the checksum does not match the content");
        }
        if (nextInt() != (inflater.getBytesWritten() & 0xFFFFFFFFL)) {
            throw new ZipException("the length does not match the content");
        }
        ended = position == limit && !refill();
        if (!ended) {
            readHeader();
        }
    }

    private void readHeader() throws IOException {
        checksum.reset();
        if (nextShort() != MAGIC) {
            throw new ZipException("bytes that are not gzip, at the start or after a complete member");
        }
        int method = next();
        int flags = next();
        if (method != DEFLATE || (flags & RESERVED) != 0) {
            throw new ZipException("unknown compression method");
        }
        skip(6); // modification time, extra flags, operating system
        if ((flags & HAS_EXTRA) != 0) {
            skip(nextShort());
        }
        if ((flags & HAS_NAME) != 0) {
            skipText();
        }
        if ((flags & HAS_COMMENT) != 0) {
            skipText();
        }
        int found = (int) checksum.getValue() & 0xFFFF;
        if ((flags & HAS_CHECKSUM) != 0 && nextShort() != found) {
            throw new ZipException("the checksum does not match the header");
        }
        checksum.reset();
        inflater.reset();
        inflater.setInput(buffer, position, limit - position);
    }

    private void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            next();
        }
    }

    private void skipText() throws IOException {
        int read;
        do {
            read = next();
        } while (read != 0);
    }

    private long nextInt() throws IOException {
        return nextShort() | (long) nextShort() << 16;
    }

    private int nextShort() throws IOException {
        return next() | next() << 8;
    }

    private int next() throws IOException {
        if (position == limit) {
            fill();
        }
        int value = buffer[position++] & 0xFF;
        checksum.update(value);
        return value;
    }

    private void fill() throws IOException {
        if (!refill()) {
            throw new EOFException("the file ends within the compressed data");
        }
    }

    private boolean refill() throws IOException {
        position = 0;
        limit = Math.max(0, in.read(buffer, 0, buffer.length));
        return limit > 0;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}
