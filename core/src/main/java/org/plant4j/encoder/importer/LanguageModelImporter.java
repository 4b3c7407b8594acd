package org.plant4j.encoder.importer;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.Precision;
import org.plant4j.UserError;
import org.plant4j.encoder.importer.SafetensorsFile.RowSelection;

/**
 * Converts a language model of fastai, a {@code .pth} file and the {@code .pkl} file with its vocabulary next to it, to the
 * files that {@code language_model.start} names.
 */
public final class LanguageModelImporter {

    private LanguageModelImporter() {}

    /** The number of tensors and of tokens; 0 tokens if there is no vocabulary. */
    public record ImportResult(int tensors, int tokens) {}

    /** Writes {@code weights.safetensors} and {@code words.txt} to a new directory. */
    public static ImportResult run(Path source, Path target, Precision precision) {
        if (Files.exists(target)) {
            throw new UserError(
                    "The directory already exists", target.toString(), "choose another one, or remove this one first");
        }
        Map<String, RowSelection> tensors = new LinkedHashMap<>();
        TorchCheckpoint.read(source)
                .forEach((name, tensor) -> tensors.put(
                        name,
                        new RowSelection(
                                tensor,
                                IntStream.range(0, tensor.rows()).boxed().toList())));
        try {
            List<String> words = words(source);
            Files.createDirectories(target);
            SafetensorsFile.write(target.resolve("weights.safetensors"), tensors, precision);
            if (!words.isEmpty()) {
                Files.writeString(target.resolve("words.txt"), String.join("\n", words) + "\n");
            }
            return new ImportResult(tensors.size(), words.size());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + target, e);
        }
    }

    /** The vocabulary next to the weights: the only {@code .pkl} file, or that with the same name or with "itos". */
    private static List<String> words(Path source) throws IOException {
        Path directory = source.toAbsolutePath().getParent();
        if (directory == null) {
            return List.of();
        }
        List<Path> pickles;
        try (Stream<Path> files = Files.list(directory)) {
            pickles = files.filter(file -> file.toString().endsWith(".pkl"))
                    .sorted()
                    .toList();
        }
        String stem = String.valueOf(source.getFileName()).replaceAll("\\.pth$", "");
        List<Path> chosen = pickles.size() == 1
                ? pickles
                : pickles.stream()
                        .filter(file -> {
                            String name = String.valueOf(file.getFileName());
                            return name.startsWith(stem) || name.contains("itos");
                        })
                        .toList();
        if (chosen.isEmpty()) {
            return List.of();
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(chosen.get(0)))) {
            Object words = new PickleReader(in, chosen.get(0).toString()).read();
            if (words instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
                return list.stream()
                        .map(word -> String.valueOf(word).replaceAll("[\r\n]", " "))
                        .toList();
            }
            throw new UserError(
                    "Not a vocabulary: the pickle is not a list of texts",
                    chosen.get(0).toString(),
                    "move it elsewhere, or save the list itos of the model");
        }
    }
}
