package org.plant4j.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Decodes UTF-8 and marks what is not: a malformed byte becomes a lone low surrogate, which UTF-8 cannot hold, so that
 * the row it stands in can be named and left out instead of ending the whole file without a line number.
 */
public final class Utf8Reader extends Reader {

    private static final char MARK = '\uDC00';

    private final InputStream in;
    private final char mark;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16).flip();
    private final CharBuffer chars = CharBuffer.allocate(1 << 16).flip();
    private boolean ended;
    private boolean malformed;

    Utf8Reader(InputStream in) {
        this(in, MARK);
    }

    private Utf8Reader(InputStream in, char mark) {
        this.in = in;
        this.mark = mark;
    }

    /** Takes what is not UTF-8 for Latin-1, as some official lists of codes still are. */
    static Utf8Reader withLatin1Fallback(InputStream in) {
        return new Utf8Reader(in, '\0');
    }

    /** Whether a malformed byte was met so far; spares the search through every row of a sound file. */
    boolean malformed() {
        return malformed;
    }

    /** The first malformed byte's place in a text this reader decoded, or -1. */
    static int indexOfMalformed(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isLowSurrogate(text.charAt(i))
                    && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)))) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public int read(char[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (!chars.hasRemaining()) {
            if (ended && !bytes.hasRemaining()) {
                return -1;
            }
            decode();
        }
        int count = Math.min(length, chars.remaining());
        chars.get(target, offset, count);
        return count;
    }

    private void decode() throws IOException {
        chars.clear();
        CoderResult result = decoder.decode(bytes, chars, ended);
        if (result.isError()) {
            malformed = mark == MARK;
            if (chars.hasRemaining()) {
                chars.put((char) (mark + (bytes.get() & 0xFF)));
            }
        } else if (result.isUnderflow() && !ended) {
            fill();
        }
        chars.flip();
    }

    private void fill() throws IOException {
        bytes.compact();
        int count = in.read(bytes.array(), bytes.position(), bytes.remaining());
        if (count < 0) {
            ended = true;
        } else {
            bytes.position(bytes.position() + count);
        }
        bytes.flip();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
