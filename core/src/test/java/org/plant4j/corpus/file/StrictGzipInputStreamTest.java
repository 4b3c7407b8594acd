package org.plant4j.corpus.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;

class StrictGzipInputStreamTest {

    private static final byte[] FIRST = member("first member, ".repeat(20));
    private static final byte[] SECOND = member("second");

    @Test
    void allMembersAreRead() throws IOException {
        String expected = "first member, ".repeat(20) + "second";
        for (int bufferSize : new int[] {1, 2, 7, 4096}) {
            assertThat(read(concat(FIRST, SECOND), bufferSize)).isEqualTo(expected);
        }
        assertThat(read(concat(member(""), SECOND), 512)).isEqualTo("second");
    }

    @Test
    void aFileThatEndsEarlyIsAnErrorWhereverItEnds() throws IOException {
        byte[] both = concat(FIRST, SECOND);
        for (int length = 0; length < both.length; length++) {
            if (length != FIRST.length) {
                byte[] truncated = Arrays.copyOf(both, length);
                assertThatThrownBy(() -> read(truncated, 16))
                        .as("%d bytes", truncated.length)
                        .isInstanceOf(EOFException.class);
            }
        }
    }

    /** The header fields that a reader ignores (time, flags, system) may change; nothing else may. */
    @Test
    void aFlippedBitIsAnErrorOrChangesNothing() throws IOException {
        byte[] both = concat(FIRST, SECOND);
        String expected = read(both, 64);
        for (int bit = 0; bit < both.length * 8; bit++) {
            byte[] damaged = both.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                assertThat(read(damaged, 64)).as("bit %d", bit).isEqualTo(expected);
            } catch (ZipException | EOFException e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }
    }

    @Test
    void bytesAfterTheLastMemberAreAnError() {
        for (String garbage : new String[] {"x", "\0", "\0\0\0\0\0\0\0\0", "a second text, not compressed at all"}) {
            assertThatThrownBy(() -> read(concat(FIRST, garbage.getBytes(StandardCharsets.UTF_8)), 64))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void optionalHeaderFieldsAreSkippedAndTheirChecksumVerified() throws IOException {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        header.writeBytes(new byte[] {0x1F, (byte) 0x8B, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3});
        header.writeBytes(new byte[] {3, 0, 1, 2, 3}); // extra field of three bytes
        header.writeBytes("name.txt\0a comment\0".getBytes(StandardCharsets.ISO_8859_1));
        CRC32 checksum = new CRC32();
        checksum.update(header.toByteArray());
        header.write((int) checksum.getValue());
        header.write((int) (checksum.getValue() >> 8));
        byte[] content = Arrays.copyOfRange(SECOND, 10, SECOND.length);
        byte[] complete = concat(header.toByteArray(), content);
        assertThat(read(complete, 3)).isEqualTo("second");
        complete[header.size() - 1] ^= 1;
        assertThatThrownBy(() -> read(complete, 3)).hasMessageContaining("header");
    }

    @Test
    void aLargeStreamIsReadInPieces() throws IOException {
        byte[] random = new byte[1 << 20];
        new Random(3).nextBytes(random);
        byte[] packed = concat(member(random), member(random));
        try (StrictGzipInputStream in = new StrictGzipInputStream(new ByteArrayInputStream(packed), 1000)) {
            assertThat(in.readNBytes(random.length)).isEqualTo(random);
            assertThat(in.read()).isEqualTo(random[0] & 0xFF);
            assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(random, 1, random.length));
        }
    }

    private static String read(byte[] bytes, int bufferSize) throws IOException {
        try (StrictGzipInputStream in = new StrictGzipInputStream(new ByteArrayInputStream(bytes), bufferSize)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static byte[] member(String text) {
        return member(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] member(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
