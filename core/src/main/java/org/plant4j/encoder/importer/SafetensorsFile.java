package org.plant4j.encoder.importer;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.plant4j.Precision;
import org.plant4j.support.AtomicFile;
import org.plant4j.tensor.SafetensorsHeader;

/**
 * Reads the positions of tensors in a safetensors file and writes one row by row, without libtorch, so that models larger
 * than the heap can be copied.
 */
final class SafetensorsFile {

    private SafetensorsFile() {}

    /** Rows of a stored tensor, in their new order. */
    record RowSelection(StoredTensor tensor, List<Integer> rows) {

        RowSelection {
            rows = List.copyOf(rows);
        }

        List<Integer> shape() {
            List<Integer> shape = new ArrayList<>(tensor.shape());
            if (!shape.isEmpty()) {
                shape.set(0, rows.size());
            }
            return shape;
        }
    }

    /** Reads the positions of all floating point tensors, by name. */
    static Map<String, StoredTensor> read(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            Map<String, StoredTensor> tensors = new TreeMap<>();
            SafetensorsHeader.read(channel, file).tensors().forEach((name, entry) -> {
                if (!entry.type().startsWith("I")) { // integer tensors hold position ids, which are not needed
                    tensors.put(name, tensor(file, name, entry));
                }
            });
            return tensors;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static StoredTensor tensor(Path file, String name, SafetensorsHeader.Entry entry) {
        StoredTensor.DataType type = switch (entry.type()) {
            case "F32" -> StoredTensor.DataType.F32;
            case "F16" -> StoredTensor.DataType.F16;
            case "BF16" -> StoredTensor.DataType.BF16;
            default -> throw StoredTensor.unsupported(name, entry.type(), file);
        };
        List<Integer> shape = entry.shape().stream().map(Math::toIntExact).toList();
        return new StoredTensor(file, entry.start(), type, shape, false);
    }

    /** Writes tensors in the order of the map. */
    static void write(Path file, Map<String, RowSelection> tensors, Precision precision) {
        boolean half = precision == Precision.BFLOAT16;
        Map<String, SafetensorsHeader.Layout> layouts = new LinkedHashMap<>();
        tensors.forEach((name, selection) -> layouts.put(
                name,
                new SafetensorsHeader.Layout(
                        half ? "BF16" : "F32",
                        selection.shape().stream().map(Integer::longValue).toList())));
        AtomicFile.write(file, temporary -> {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(temporary), 1 << 20)) {
                out.write(SafetensorsHeader.encode(layouts, Map.of()));
                for (RowSelection selection : tensors.values()) {
                    selection
                            .tensor()
                            .readRows(selection.rows(), row -> out.write(bytes(row, half ? Short.BYTES : Float.BYTES)));
                }
            }
        });
    }

    private static byte[] bytes(float[] row, int width) {
        ByteBuffer bytes = ByteBuffer.allocate(row.length * width).order(ByteOrder.LITTLE_ENDIAN);
        if (width == Float.BYTES) {
            bytes.asFloatBuffer().put(row);
        } else {
            for (float number : row) {
                bytes.putShort(bfloat16(number));
            }
        }
        return bytes.array();
    }

    /** Rounds to nearest, ties to even; weights are never NaN. */
    private static short bfloat16(float number) {
        int bits = Float.floatToRawIntBits(number);
        return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
    }
}
