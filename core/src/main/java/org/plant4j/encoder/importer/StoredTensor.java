package org.plant4j.encoder.importer;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.plant4j.UserError;
import org.plant4j.support.Arguments;

/**
 * A tensor in a file, which is read on demand.
 *
 * @param transposed whether the file holds a matrix (in, out) that stands for (out, in)
 */
record StoredTensor(Path file, long offset, DataType type, List<Integer> storedShape, boolean transposed) {

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
                from.asFloatBuffer().get(into); // much faster than one by one
                return;
            }
            for (int i = 0; i < into.length; i++) {
                short bits = from.getShort();
                into[i] = this == BF16 ? Float.intBitsToFloat(bits << 16) : half(bits);
            }
        }
    }

    StoredTensor {
        storedShape = List.copyOf(storedShape);
        Arguments.check(!transposed || storedShape.size() == 2, "transposed", storedShape, "a matrix");
    }

    StoredTensor transpose() {
        return new StoredTensor(file, offset, type, storedShape, !transposed);
    }

    /** The shape after transposition. */
    List<Integer> shape() {
        return transposed ? List.of(storedShape.get(1), storedShape.get(0)) : storedShape;
    }

    /** Number of rows, the first dimension. */
    int rows() {
        return storedShape.isEmpty() ? 1 : shape().get(0);
    }

    long elementCount() {
        return elementCount(storedShape);
    }

    static long elementCount(List<Integer> shape) {
        return shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
    }

    /** Offset after the last byte. */
    long endOffset() {
        return offset + elementCount() * type.bytes;
    }

    /** Reads the rows with these indices, in this order. */
    void readRows(List<Integer> indices, RowConsumer consumer) throws IOException {
        try {
            readRowsOf(indices, consumer);
        } catch (ArithmeticException e) {
            throw new UserError(
                    "A tensor of shape " + shape() + " is too large to be read at once",
                    file.toString(),
                    "import a smaller model, or one whose matrices are not transposed",
                    e);
        }
    }

    private void readRowsOf(List<Integer> indices, RowConsumer consumer) throws IOException {
        int rows = rows();
        int width = Math.toIntExact(elementCount() / Math.max(1, rows));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            float[] row = new float[width];
            float[] whole = transposed ? read(channel, 0, Math.toIntExact(elementCount())) : new float[0];
            for (int index : indices) {
                if (transposed) {
                    for (int i = 0, from = index; i < width; i++, from += rows) {
                        row[i] = whole[from];
                    }
                } else {
                    row = read(channel, (long) index * width, width);
                }
                consumer.accept(row);
            }
        }
    }

    /** Consumes a row, which is valid until the next call. */
    interface RowConsumer {
        void accept(float[] row) throws IOException;
    }

    private float[] read(FileChannel channel, long from, int count) throws IOException {
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.multiplyExact(count, type.bytes)).order(ByteOrder.LITTLE_ENDIAN);
        long at = offset + from * type.bytes;
        while (bytes.hasRemaining()) {
            int read = channel.read(bytes, at + bytes.position());
            if (read < 0) {
                throw new EOFException(file + " is truncated");
            }
        }
        bytes.flip();
        float[] numbers = new float[count];
        type.read(bytes, numbers);
        return numbers;
    }

    /** Converts IEEE half precision; Java has a method for it since version 20. */
    private static float half(short bits) {
        int sign = (bits & 0x8000) << 16;
        int exponent = (bits >> 10) & 0x1f;
        int fraction = bits & 0x3ff;
        if (exponent == 0) { // zero or subnormal
            return Math.scalb((sign == 0 ? 1f : -1f) * fraction, -24);
        }
        int widened = exponent == 0x1f ? 0xff : exponent + 112;
        return Float.intBitsToFloat(sign | (widened << 23) | (fraction << 13));
    }

    static UserError unsupported(String name, String type, Path file) {
        return new UserError(
                "Tensor " + name + " has unsupported type " + type,
                file.toString(),
                "import a float32, float16 or bfloat16 variant of the model, not a quantized one");
    }
}
