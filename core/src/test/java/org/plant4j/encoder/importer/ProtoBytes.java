package org.plant4j.encoder.importer;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes the wire format of protocol buffers. */
final class ProtoBytes {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    ProtoBytes number(int field, long value) {
        raw(field << 3);
        return raw(value);
    }

    ProtoBytes fixed32(int field, float value) {
        raw((field << 3) | 5);
        out.writeBytes(floats(List.of(value)));
        return this;
    }

    ProtoBytes bytes(int field, byte[] value) {
        raw((field << 3) | 2);
        raw(value.length);
        out.writeBytes(value);
        return this;
    }

    ProtoBytes text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ProtoBytes message(int field, ProtoBytes value) {
        return bytes(field, value.toBytes());
    }

    /** A varint without field number. */
    ProtoBytes raw(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write((int) rest);
        return this;
    }

    ProtoBytes raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    int size() {
        return out.size();
    }

    byte[] toBytes() {
        return out.toByteArray();
    }

    static byte[] floats(List<Float> values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.size()).order(ByteOrder.LITTLE_ENDIAN);
        values.forEach(bytes::putFloat);
        return bytes.array();
    }

    static byte[] longs(long... values) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            bytes.putLong(value);
        }
        return bytes.array();
    }
}
