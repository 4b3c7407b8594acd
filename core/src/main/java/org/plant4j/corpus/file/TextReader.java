package org.plant4j.corpus.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Decodes text, UTF-8 by default, and marks malformed bytes instead of failing: each becomes a lone low surrogate, which
 * valid text cannot contain. The reader of a row can then report that row by its line number and continue with the next.
 */
final class TextReader extends Reader {

    /** A malformed byte b is decoded as this character plus b. */
    private static final char SURROGATE_OFFSET = '\uDC00';

    private final InputStream in;
    private final char malformedOffset;
    private final CharsetDecoder decoder;
    private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16).flip();
    private final CharBuffer chars = CharBuffer.allocate(1 << 16).flip();
    private boolean endOfInput;
    private boolean malformed;

    TextReader(InputStream in) {
        this(in, StandardCharsets.UTF_8);
    }

    TextReader(InputStream in, Charset charset) {
        this(in, charset, SURROGATE_OFFSET);
    }

    private TextReader(InputStream in, Charset charset, char malformedOffset) {
        this.in = in;
        this.decoder = charset.newDecoder();
        this.malformedOffset = malformedOffset;
    }

    /** Decodes malformed bytes as Latin-1, which some official code lists still use. */
    static TextReader withLatin1Fallback(InputStream in) {
        return new TextReader(in, StandardCharsets.UTF_8, '\0');
    }

    /** Whether any byte read so far was malformed; if not, rows need not be searched. */
    boolean malformed() {
        return malformed;
    }

    /** The index of the first malformed byte in a text that this class decoded, or -1. */
    static int indexOfMalformed(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isLowSurrogate(text.charAt(i))
                    && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)))) {
                return i;
            }
        }
        return -1;
    }

    /** Skips the byte order mark that some editors write at the start of a file. */
    TextReader withoutByteOrderMark() throws IOException {
        if (fillCharacters() && chars.get(chars.position()) == '\uFEFF') {
            chars.get();
        }
        return this;
    }

    @Override
    public int read(char[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fillCharacters()) {
            return -1;
        }
        int count = Math.min(length, chars.remaining());
        chars.get(target, offset, count);
        return count;
    }

    /** Decodes until there is a character to read; false at the end. */
    private boolean fillCharacters() throws IOException {
        while (!chars.hasRemaining()) {
            if (endOfInput && !bytes.hasRemaining()) {
                return false;
            }
            decode();
        }
        return true;
    }

    private void decode() throws IOException {
        chars.clear();
        CoderResult result = decoder.decode(bytes, chars, endOfInput);
        if (result.isError()) {
            malformed = malformedOffset == SURROGATE_OFFSET;
            if (chars.hasRemaining()) {
                chars.put((char) (malformedOffset + (bytes.get() & 0xFF)));
            }
        } else if (result.isUnderflow() && !endOfInput) {
            fill();
        }
        chars.flip();
    }

    private void fill() throws IOException {
        bytes.compact();
        int count = in.read(bytes.array(), bytes.position(), bytes.remaining());
        if (count < 0) {
            endOfInput = true;
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
