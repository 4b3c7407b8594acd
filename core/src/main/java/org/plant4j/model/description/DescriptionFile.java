package org.plant4j.model.description;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.support.AtomicFile;

/** The label descriptions of a network as token ids, stored beside its weights: one line per label. */
public final class DescriptionFile {

    private static final String FILE = "descriptions.txt";

    private DescriptionFile() {}

    public static void write(Path directory, List<int[]> descriptions) {
        AtomicFile.write(
                directory.resolve(FILE),
                draft -> Files.write(
                        draft,
                        descriptions.stream().map(DescriptionFile::toLine).toList()));
    }

    private static String toLine(int[] tokens) {
        return Arrays.stream(tokens).mapToObj(Integer::toString).collect(Collectors.joining(" "));
    }

    public static List<int[]> read(Path directory) {
        Path file = directory.resolve(FILE);
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(DescriptionFile::parseTokens).toList();
        } catch (NumberFormatException e) {
            throw new UserError(
                    "The file contains something other than token ids",
                    file.toString(),
                    "run the experiment again, with --force",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static int[] parseTokens(String line) {
        return line.isEmpty()
                ? new int[0]
                : Arrays.stream(line.split(" ")).mapToInt(Integer::parseInt).toArray();
    }
}
