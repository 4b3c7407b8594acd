package org.plant4j.tensor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import org.plant4j.support.Sha256;

/**
 * The SHA-256 checksum of a safetensors file in its own metadata: that of the whole file with zeros in place of the checksum.
 * It protects files that stand alone, such as training checkpoints.
 */
final class SafetensorsChecksum {

    static final String KEY = "sha256";
    static final String PLACEHOLDER = "0".repeat(64);

    private static final int BUFFER = 1 << 20;

    private SafetensorsChecksum() {}

    /** The position of a checksum in the bytes at the start of a file; -1 if it is not there. */
    static int position(byte[] start, String checksum) {
        // The start is ASCII apart from names and metadata, and any single-byte encoding keeps positions.
        return new String(start, StandardCharsets.ISO_8859_1).indexOf(checksum);
    }

    /** Throws unless the file matches the checksum in its metadata. */
    static void verify(FileChannel channel, SafetensorsHeader header, Path file) throws IOException {
        String stored = header.metadata().getOrDefault(KEY, "");
        byte[] start = read(channel, header.dataStart());
        int position = position(start, stored);
        if (stored.length() != PLACEHOLDER.length() || position < 0) {
            throw SafetensorsHeader.invalid(file, "it has no checksum");
        }
        Arrays.fill(start, position, position + stored.length(), (byte) '0');
        MessageDigest digest = Sha256.newDigest();
        digest.update(start);
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        while (channel.read(buffer) >= 0) {
            digest.update(buffer.flip());
            buffer.clear();
        }
        if (!Sha256.hex(digest).equals(stored)) {
            throw SafetensorsHeader.invalid(file, "it does not match its checksum");
        }
    }

    private static byte[] read(FileChannel channel, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        channel.position(0);
        while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
            // reads until the buffer is full; the header has been read before
        }
        return buffer.array();
    }
}
