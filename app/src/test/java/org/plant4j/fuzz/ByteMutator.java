package org.plant4j.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Damages bytes as disks, transfers and editors do. */
final class ByteMutator {

    private static final List<byte[]> ODD = List.of(
            new byte[] {0},
            new byte[] {(byte) 0xFF, (byte) 0xFE},
            new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF},
            new byte[] {(byte) 0xC0, (byte) 0x80},
            new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
            new byte[] {(byte) 0xF0, (byte) 0x9F},
            new byte[] {0x1F, (byte) 0x8B},
            ascii("\r"),
            ascii("\r\n"),
            ascii("\n\n"),
            ascii("\t"),
            ascii("\""),
            ascii("\"\""),
            ascii("\\"),
            ascii(","),
            ascii(";"),
            ascii("{"),
            ascii("]"),
            ascii("-1"),
            ascii("1e400"),
            ascii("99999999999999999999"),
            ascii("NaN"));

    private ByteMutator() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Applies one mutation, or two or three in a row. */
    static byte[] mutate(byte[] bytes, FuzzInput input) {
        byte[] mutated = bytes;
        for (int n = input.chance(0.7) ? 1 : input.between(2, 3); n > 0; n--) {
            mutated = mutateOnce(mutated, input);
        }
        return mutated;
    }

    private static byte[] mutateOnce(byte[] bytes, FuzzInput input) {
        if (bytes.length == 0) {
            input.step("insert a byte");
            return new byte[] {(byte) input.below(256)};
        }
        int at = input.below(bytes.length);
        int length = 1 + input.below(Math.min(bytes.length - at, 1 << input.below(12)));
        return switch (input.below(8)) {
            case 0, 1 -> flipBit(bytes, at, input);
            case 2 -> {
                input.step("truncate to " + at + " of " + bytes.length + " bytes");
                yield Arrays.copyOf(bytes, at);
            }
            case 3 -> {
                input.step("delete " + length + " bytes at " + at);
                yield splice(bytes, at, length, new byte[0]);
            }
            case 4 -> {
                input.step("repeat " + length + " bytes at " + at);
                yield splice(bytes, at, 0, Arrays.copyOfRange(bytes, at, at + length));
            }
            case 5 -> {
                byte value = (byte) input.below(256);
                input.step("set byte " + at + " to " + (value & 0xFF));
                yield splice(bytes, at, 1, new byte[] {value});
            }
            case 6 -> {
                input.step("zero " + length + " bytes at " + at);
                yield splice(bytes, at, length, new byte[length]);
            }
            default -> {
                byte[] odd = input.pick(ODD);
                input.step("insert " + Arrays.toString(odd) + " at " + at);
                yield splice(bytes, at, 0, odd);
            }
        };
    }

    static byte[] flipBit(byte[] bytes, int at, FuzzInput input) {
        byte[] flipped = bytes.clone();
        int bit = input.below(8);
        flipped[at] ^= (byte) (1 << bit);
        input.step("flip bit " + bit + " of byte " + at);
        return flipped;
    }

    private static byte[] splice(byte[] bytes, int at, int removed, byte[] inserted) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, at);
        out.writeBytes(inserted);
        out.write(bytes, at + removed, bytes.length - at - removed);
        return out.toByteArray();
    }
}
