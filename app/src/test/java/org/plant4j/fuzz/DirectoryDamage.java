package org.plant4j.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Copies directories and damages the copy in one place. */
final class DirectoryDamage {

    private DirectoryDamage() {}

    /** Replaces {@code to} by a copy of {@code from}. */
    static void copy(Path from, Path to) throws IOException {
        CorpusFiles.clear(to);
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                Files.createDirectories(target.getParent());
                Files.copy(each, target);
            }
        }
    }

    /** The files of a directory and below that have a content, in a fixed order. */
    static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> files = new ArrayList<>();
            for (Path each : all.sorted().toList()) {
                if (Files.isRegularFile(each) && Files.size(each) > 0) {
                    files.add(each);
                }
            }
            return files;
        }
    }

    /** Damages one file; {@code other} is a directory with files of the same names, such as that of another run. */
    static void damage(Path file, Path directory, Path other, FuzzInput input) throws IOException {
        input.step("in " + directory.relativize(file));
        byte[] bytes = Files.readAllBytes(file);
        Path replacement = other.resolve(directory.relativize(file).toString());
        switch (input.below(8)) {
            case 0 -> {
                input.step("delete the file");
                Files.delete(file);
            }
            case 1 -> {
                if (Files.exists(replacement)) {
                    input.step("replace by the file of another run");
                    Files.write(file, Files.readAllBytes(replacement));
                } else {
                    Files.write(file, ByteMutator.mutate(bytes, input));
                }
            }
            case 2 -> Files.write(file, swapRows(bytes, input));
            case 3 -> {
                Path second = input.pick(files(directory));
                input.step("exchange with " + directory.relativize(second));
                Files.write(file, Files.readAllBytes(second));
                Files.write(second, bytes);
            }
            case 4 -> Files.write(file, changeDigit(bytes, input));
            default -> Files.write(file, ByteMutator.mutate(bytes, input));
        }
    }

    private static byte[] swapRows(byte[] bytes, FuzzInput input) {
        List<String> rows = new ArrayList<>(List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\n", -1)));
        int first = input.below(rows.size());
        int second = input.below(rows.size());
        input.step(String.format(Locale.ROOT, "swap rows %d and %d", first + 1, second + 1));
        Collections.swap(rows, first, second);
        return String.join("\n", rows).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Changes a digit, if there is one: a number that is still valid, but wrong. */
    private static byte[] changeDigit(byte[] bytes, FuzzInput input) {
        byte[] changed = bytes.clone();
        int start = input.below(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            int at = (start + i) % bytes.length;
            if (Character.isDigit(bytes[at])) {
                changed[at] = (byte) ('0' + (bytes[at] - '0' + input.between(1, 9)) % 10);
                input.step("change the digit at " + at);
                return changed;
            }
        }
        return changed;
    }
}
