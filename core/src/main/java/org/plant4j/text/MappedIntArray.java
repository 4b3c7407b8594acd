package org.plant4j.text;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * A memory-mapped file of little-endian ints, read as one array. Java maps at most 2 GB at once, so the file is mapped in
 * chunks. Reads use absolute positions and are therefore thread-safe. The mapping ends when the array is garbage collected.
 */
final class MappedIntArray {

    /** The default number of ints per chunk: 1 GiB. */
    static final int CHUNK_SIZE = 1 << 28;

    private final IntBuffer[] chunks;
    private final int chunkSize;

    private MappedIntArray(IntBuffer[] chunks, int chunkSize) {
        this.chunks = chunks;
        this.chunkSize = chunkSize;
    }

    static MappedIntArray map(FileChannel file, int chunkSize) throws IOException {
        long size = file.size() / Integer.BYTES;
        IntBuffer[] chunks = new IntBuffer[Math.toIntExact((size + chunkSize - 1) / chunkSize)];
        for (int i = 0; i < chunks.length; i++) {
            long start = (long) i * chunkSize;
            long ints = Math.min(chunkSize, size - start);
            chunks[i] = file.map(MapMode.READ_ONLY, start * Integer.BYTES, ints * Integer.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asIntBuffer();
        }
        return new MappedIntArray(chunks, chunkSize);
    }

    int get(long index) {
        return chunks[(int) (index / chunkSize)].get((int) (index % chunkSize));
    }

    long getLong(long index) {
        return Integer.toUnsignedLong(get(index)) | (long) get(index + 1) << 32;
    }

    int[] get(long index, int length) {
        int[] result = new int[length];
        int done = 0;
        while (done < length) {
            long position = index + done;
            int offset = (int) (position % chunkSize);
            int count = Math.min(length - done, chunkSize - offset);
            chunks[(int) (position / chunkSize)].get(offset, result, done, count);
            done += count;
        }
        return result;
    }
}
