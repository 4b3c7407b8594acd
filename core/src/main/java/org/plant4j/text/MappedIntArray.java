package org.plant4j.text;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * A file seen as one long array of little-endian ints without loading it. Java maps at most 2 GB at once, so the array
 * lies in pieces; reads are absolute and therefore safe for several threads. The system unmaps it once it is garbage.
 */
final class MappedIntArray {

    /** One GiB a piece. */
    static final int CHUNK_SIZE = 1 << 28;

    private final IntBuffer[] pieces;
    private final int piece;

    private MappedIntArray(IntBuffer[] pieces, int piece) {
        this.pieces = pieces;
        this.piece = piece;
    }

    static MappedIntArray map(FileChannel file, int piece) throws IOException {
        long size = file.size() / Integer.BYTES;
        IntBuffer[] pieces = new IntBuffer[Math.toIntExact((size + piece - 1) / piece)];
        for (int i = 0; i < pieces.length; i++) {
            long start = (long) i * piece;
            long ints = Math.min(piece, size - start);
            pieces[i] = file.map(MapMode.READ_ONLY, start * Integer.BYTES, ints * Integer.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asIntBuffer();
        }
        return new MappedIntArray(pieces, piece);
    }

    int get(long index) {
        return pieces[(int) (index / piece)].get((int) (index % piece));
    }

    long getLong(long index) {
        return Integer.toUnsignedLong(get(index)) | (long) get(index + 1) << 32;
    }

    int[] get(long index, int length) {
        int[] result = new int[length];
        int done = 0;
        while (done < length) {
            long at = index + done;
            int inside = (int) (at % piece);
            int part = Math.min(length - done, piece - inside);
            pieces[(int) (at / piece)].get(inside, result, done, part);
            done += part;
        }
        return result;
    }
}
