package org.plant4j.encoder.importer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Enumeration;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.plant4j.UserError;

/** The positions of uncompressed zip entries, so that tensors can be read from the zip file itself. */
final class StoredZip {

    private static final int LOCAL_HEADER = 30;
    private static final long CENTRAL_SIGNATURE = 0x02014b50L;
    private static final long END_SIGNATURE = 0x06054b50L;
    private static final long END64_SIGNATURE = 0x06064b50L;
    private static final long UNKNOWN = 0xffffffffL;
    private static final int MAX_COMMENT = 0xffff;
    private static final int END_SIZE = 22;
    private static final int LOCATOR_SIZE = 20;
    private static final int CENTRAL_HEADER = 46;

    private StoredZip() {}

    /** The bytes of an entry: where they begin in the zip file, and how many there are. */
    record Position(long offset, long size) {}

    static boolean isZip(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.size() > END_SIZE && (read(channel, 0, 4).getInt(0) & UNKNOWN) == 0x04034b50L;
        }
    }

    static Map<String, Position> read(Path file) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) { // checks the structure, and finds compressed entries
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (entry.getMethod() != ZipEntry.STORED) {
                    throw new UserError(
                            "The checkpoint is compressed", file.toString(), "save it again with torch.save");
                }
            }
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return centralDirectory(channel, file);
        }
    }

    /** Compares all bytes with the checksums of the zip file, which neither Java nor the positions of {@link #read} check. */
    static void verify(Path file) throws IOException {
        byte[] buffer = new byte[1 << 16];
        try (ZipFile zip = new ZipFile(file.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                CRC32 checksum = new CRC32();
                try (InputStream in = zip.getInputStream(entry)) {
                    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                        checksum.update(buffer, 0, count);
                    }
                }
                if (checksum.getValue() != entry.getCrc()) {
                    throw new UserError(
                            "The checkpoint is damaged: an entry does not match its checksum",
                            file + "!" + entry.getName(),
                            "download or save the file again; if PyTorch was told not to compute checksums"
                                    + " (set_crc32_options), save it with them");
                }
            }
        }
    }

    private static Map<String, Position> centralDirectory(FileChannel channel, Path file) throws IOException {
        int tail = (int) Math.min(channel.size(), MAX_COMMENT + END_SIZE + LOCATOR_SIZE);
        long tailStart = channel.size() - tail;
        ByteBuffer end = read(channel, tailStart, tail);
        int at = tail - END_SIZE;
        while (at >= 0 && (end.getInt(at) & UNKNOWN) != END_SIGNATURE) {
            at--;
        }
        if (at < 0) {
            throw damaged(file);
        }
        long count = end.getShort(at + 10) & 0xffff;
        long start = end.getInt(at + 16) & UNKNOWN;
        if (start == UNKNOWN || count == 0xffff) {
            long end64 = end.getLong(at - LOCATOR_SIZE + 8);
            ByteBuffer large = read(channel, end64, 56);
            if ((large.getInt(0) & UNKNOWN) != END64_SIGNATURE) {
                throw damaged(file);
            }
            count = large.getLong(32);
            start = large.getLong(48);
        }
        Map<String, Position> positions = new TreeMap<>();
        long position = start;
        for (long i = 0; i < count; i++) {
            ByteBuffer header = read(channel, position, CENTRAL_HEADER);
            if ((header.getInt(0) & UNKNOWN) != CENTRAL_SIGNATURE) {
                throw damaged(file);
            }
            int nameLength = header.getShort(28) & 0xffff;
            int extraLength = header.getShort(30) & 0xffff;
            int commentLength = header.getShort(32) & 0xffff;
            ByteBuffer rest = read(channel, position + CENTRAL_HEADER, nameLength + extraLength);
            byte[] name = new byte[nameLength];
            rest.get(0, name);
            positions.put(new String(name, StandardCharsets.UTF_8), position(channel, header, rest, nameLength));
            position += CENTRAL_HEADER + nameLength + extraLength + commentLength;
        }
        return positions;
    }

    /** Sizes and offsets of more than 32 bits are in the extra field, in this order. */
    private static Position position(FileChannel channel, ByteBuffer header, ByteBuffer rest, int nameLength)
            throws IOException {
        long size = header.getInt(24) & UNKNOWN;
        long local = header.getInt(42) & UNKNOWN;
        for (int at = nameLength; at + 4 <= rest.capacity(); at += 4 + (rest.getShort(at + 2) & 0xffff)) {
            if (rest.getShort(at) == 1) {
                int field = at + 4;
                if (size == UNKNOWN) {
                    size = rest.getLong(field);
                    field += Long.BYTES;
                }
                if ((header.getInt(20) & UNKNOWN) == UNKNOWN) {
                    field += Long.BYTES;
                }
                if (local == UNKNOWN) {
                    local = rest.getLong(field);
                }
            }
        }
        ByteBuffer localHeader = read(channel, local, LOCAL_HEADER);
        long data = local + LOCAL_HEADER + (localHeader.getShort(26) & 0xffff) + (localHeader.getShort(28) & 0xffff);
        return new Position(data, size);
    }

    static ByteBuffer read(FileChannel channel, long from, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, from + bytes.position()) < 0) {
                throw new IOException("the file is truncated");
            }
        }
        return bytes.flip();
    }

    private static UserError damaged(Path file) {
        return new UserError("The zip file is damaged", file.toString(), "download or save the file again");
    }
}
