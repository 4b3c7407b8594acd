package org.plant4j.encoder.importer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.plant4j.UserError;

/**
 * A message in the wire format of protocol buffers: numbered fields without names. Nested messages and bytes are views of
 * the mapped file, so that the offset of a tensor is known without reading its data.
 *
 * <p>Why not Google's library: generated classes copy the weights, up to 2 GiB, to the heap and do not report offsets, and
 * its {@code CodedInputStream} reads forward only. It would replace the two methods that decode a tag and a varint.
 */
record ProtoMessage(ByteBuffer bytes, Path file) {

    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;
    private static final int FIXED32 = 5;

    ProtoMessage {
        bytes = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Maps a whole file; protocol buffers are limited to 2 GiB, so one buffer holds it. */
    static ProtoMessage open(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw damaged(file);
            }
            return new ProtoMessage(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()), file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** A field: {@code content} if it is length-delimited, else the number {@code value}. */
    record Field(int number, long value, Optional<ByteBuffer> content, Path file) {

        ByteBuffer bytes() {
            return content.map(ByteBuffer::duplicate)
                    .orElseThrow(() -> damaged(file))
                    .order(ByteOrder.LITTLE_ENDIAN);
        }

        ProtoMessage message() {
            return new ProtoMessage(bytes(), file);
        }

        String text() {
            return StandardCharsets.UTF_8.decode(bytes()).toString();
        }

        float asFloat() {
            return Float.intBitsToFloat((int) value);
        }

        /** The integers of the field, which may be packed. */
        void longs(Consumer<Long> into) {
            if (content.isEmpty()) {
                into.accept(value);
                return;
            }
            ByteBuffer packed = bytes();
            while (packed.hasRemaining()) {
                into.accept(varint(packed, file));
            }
        }
    }

    void forEachField(Consumer<Field> consumer) {
        ByteBuffer rest = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        while (rest.hasRemaining()) {
            consumer.accept(next(rest));
        }
    }

    List<Field> fields(int number) {
        List<Field> found = new ArrayList<>();
        forEachField(field -> {
            if (field.number() == number) {
                found.add(field);
            }
        });
        return found;
    }

    /** The last occurrence of a field, which takes precedence. */
    Optional<Field> field(int number) {
        List<Field> found = fields(number);
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(found.size() - 1));
    }

    String text(int number) {
        return field(number).map(Field::text).orElse("");
    }

    long number(int number, long defaultValue) {
        return field(number).map(Field::value).orElse(defaultValue);
    }

    private Field next(ByteBuffer rest) {
        try {
            long tag = varint(rest, file);
            int number = (int) (tag >>> 3);
            return switch ((int) tag & 7) {
                case VARINT -> new Field(number, varint(rest, file), Optional.empty(), file);
                case FIXED64 -> new Field(number, rest.getLong(), Optional.empty(), file);
                case FIXED32 -> new Field(number, rest.getInt(), Optional.empty(), file);
                case LENGTH -> new Field(number, 0, Optional.of(slice(rest, varint(rest, file))), file);
                default -> throw damaged(file);
            };
        } catch (BufferUnderflowException e) {
            throw damaged(file);
        }
    }

    private ByteBuffer slice(ByteBuffer rest, long length) {
        if (length < 0 || length > rest.remaining()) {
            throw damaged(file);
        }
        ByteBuffer slice = rest.duplicate().limit(rest.position() + (int) length);
        rest.position(slice.limit());
        return slice;
    }

    /** Decodes a varint: seven bits per byte, lowest first. */
    static long varint(ByteBuffer bytes, Path file) {
        long value = 0;
        for (int shift = 0; shift < 64 && bytes.hasRemaining(); shift += 7) {
            byte next = bytes.get();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw damaged(file);
    }

    private static UserError damaged(Path file) {
        return new UserError(
                "The file is truncated or not in the expected format", file.toString(), "copy or download it again");
    }
}
