package org.plant4j.models;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.WholeFile;

/** What labels mean as token ids, kept beside the weights of a network that reads them: a line of numbers for each label. */
final class Descriptions {

    private static final String FILE = "descriptions.txt";

    private Descriptions() {}

    static void write(Path folder, List<int[]> descriptions) {
        WholeFile.write(
                folder.resolve(FILE),
                draft -> Files.write(
                        draft, descriptions.stream().map(Descriptions::line).toList()));
    }

    private static String line(int[] tokens) {
        return Arrays.stream(tokens).mapToObj(Integer::toString).collect(Collectors.joining(" "));
    }

    static List<int[]> read(Path folder) {
        Path file = folder.resolve(FILE);
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(Descriptions::tokens).toList();
        } catch (NumberFormatException e) {
            throw new UserError(
                    "The file holds other things than numbers",
                    file.toString(),
                    "run the experiment again, with --force",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static int[] tokens(String line) {
        return line.isEmpty()
                ? new int[0]
                : Arrays.stream(line.split(" ")).mapToInt(Integer::parseInt).toArray();
    }
}
