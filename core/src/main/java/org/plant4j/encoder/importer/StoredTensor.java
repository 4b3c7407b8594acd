package org.plant4j.encoder.importer;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.plant4j.support.UserError;

/**
 * A tensor where it lies in a file, read only when it is wanted: row by row where rows are many, or as a whole.
 * {@code transposed} tells that the file holds a matrix (in, out) where we mean (out, in).
 */
public record StoredTensor(Path file, long offset, DataType type, List<Integer> storedShape, boolean transposed) {

    enum DataType {
        F32(4),
        F16(2),
        BF16(2);

        final int bytes;

        DataType(int bytes) {
            this.bytes = bytes;
        }

        private void read(ByteBuffer from, float[] into) {
            if (this == F32) {
                from.asFloatBuffer().get(into); // far faster than one by one
                return;
            }
            for (int i = 0; i < into.length; i++) {
                short bits = from.getShort();
                into[i] = this == BF16 ? Float.intBitsToFloat(bits << 16) : half(bits);
            }
        }
    }

    public StoredTensor {
        storedShape = List.copyOf(storedShape);
        if (transposed && storedShape.size() != 2) {
            throw new IllegalArgumentException("transposed: " + storedShape + " (expected: a matrix)");
        }
    }

    StoredTensor transpose() {
        return new StoredTensor(file, offset, type, storedShape, !transposed);
    }

    /** The shape that we mean. */
    List<Integer> shape() {
        return transposed ? List.of(storedShape.get(1), storedShape.get(0)) : storedShape;
    }

    /** How many rows: the first side. */
    int rows() {
        return storedShape.isEmpty() ? 1 : shape().get(0);
    }

    long elementCount() {
        return elementCount(storedShape);
    }

    static long elementCount(List<Integer> shape) {
        return shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
    }

    /** Where the file must reach at least. */
    long endOffset() {
        return offset + elementCount() * type.bytes;
    }

    /** The rows of these numbers, one after the other. */
    void rows(List<Integer> wanted, RowConsumer into) throws IOException {
        int rows = rows();
        int width = (int) (elementCount() / Math.max(1, rows));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            float[] row = new float[width];
            float[] whole = transposed ? read(channel, 0, (int) elementCount()) : new float[0];
            for (int number : wanted) {
                if (transposed) {
                    for (int i = 0, place = number; i < width; i++, place += rows) {
                        row[i] = whole[place];
                    }
                } else {
                    row = read(channel, (long) number * width, width);
                }
                into.accept(row);
            }
        }
    }

    /** Takes a row, which is good until the next. */
    interface RowConsumer {
        void accept(float[] row) throws IOException;
    }

    private float[] read(FileChannel channel, long from, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count * type.bytes).order(ByteOrder.LITTLE_ENDIAN);
        long at = offset + from * type.bytes;
        while (bytes.hasRemaining()) {
            int read = channel.read(bytes, at + bytes.position());
            if (read < 0) {
                throw new EOFException(file + " ends too early");
            }
        }
        bytes.flip();
        float[] numbers = new float[count];
        type.read(bytes, numbers);
        return numbers;
    }

    /** IEEE half precision; Java has no conversion of its own before 20. */
    private static float half(short bits) {
        int sign = (bits & 0x8000) << 16;
        int exponent = (bits >> 10) & 0x1f;
        int fraction = bits & 0x3ff;
        if (exponent == 0) { // zero or a number too small for its own exponent
            return Math.scalb((sign == 0 ? 1f : -1f) * fraction, -24);
        }
        int widened = exponent == 0x1f ? 0xff : exponent + 112;
        return Float.intBitsToFloat(sign | (widened << 23) | (fraction << 13));
    }

    static UserError unsupported(String name, String type, Path file) {
        return new UserError(
                "Tensor " + name + " is of type " + type,
                file.toString(),
                "take a float32, float16 or bfloat16 variant of the model, not a quantized one");
    }
}
