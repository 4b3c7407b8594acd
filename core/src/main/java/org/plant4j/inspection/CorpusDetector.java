package org.plant4j.inspection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.corpus.format.CorpusFormats;

/** Finds out how to read a file or a folder: its format, columns, delimiter, encoding, code separator and splits. */
public final class CorpusDetector {

    private static final List<String> DEV_NAMES = List.of("dev", "val", "valid", "validation", "development");

    private CorpusDetector() {}

    /** The config that reads the corpus; paths are absolute. */
    public static CorpusConfig detect(Path source) {
        Path path = source.toAbsolutePath().normalize();
        if (!Files.exists(path)) {
            throw new UserError("No such file or folder", source.toString(), "check the path");
        }
        return Files.isDirectory(path) ? folder(path) : table(path, path, Map.of());
    }

    /** A file, or several files of the same columns in a folder, of which {@code sample} is one. */
    private static CorpusConfig table(Path path, Path sample, Map<String, List<String>> splits) {
        String format = CorpusFormats.inferFromName(sample.toString())
                .filter(name -> !name.equals("parquet"))
                .orElseThrow(() -> new UserError(
                        "plant init does not know this kind of file",
                        sample.toString(),
                        "save it as .csv, .tsv or .jsonl, plain or .gz, or give a folder of .txt files"));
        boolean json = format.equals("jsonl");
        SampleTable table = json ? SampleTable.ofJsonLines(sample) : SampleTable.ofCsv(sample);
        Map<String, String> roles = ColumnRoles.of(table, sample.toString());
        CodeCells.check(table, roles, json, sample.toString());
        Map<String, List<String>> subsets = new LinkedHashMap<>(splits);
        if (subsets.isEmpty() && roles.containsKey("split")) {
            subsets.putAll(splitsByName(table.texts(roles.getOrDefault("split", "")).stream()
                    .map(String::strip)
                    .filter(value -> !value.isEmpty())
                    .distinct()
                    .toList()));
        }
        Map<String, String> columns = new TreeMap<>(roles);
        if (!subsets.isEmpty()) {
            columns.remove("group"); // the splits are given
        }
        if (!splits.isEmpty()) {
            columns.remove("split");
        }
        columns.entrySet()
                .removeIf(role -> role.getKey().equalsIgnoreCase(role.getValue())
                        && !role.getKey().equals("group")
                        && !role.getKey().equals("split"));
        return new CorpusConfig(
                format,
                path.toString(),
                subsets.getOrDefault("train", List.of()),
                subsets.getOrDefault("dev", List.of()),
                subsets.getOrDefault("test", List.of()),
                columns,
                json ? "" : delimiter(table, sample),
                options(table, roles, json));
    }

    private static String delimiter(SampleTable table, Path file) {
        boolean tabs = file.toString().matches("(?i).*\\.(tsv|tab)(\\.gz)?");
        if (table.delimiter() == (tabs ? '\t' : ',')) {
            return "";
        }
        return table.delimiter() == '\t' ? "tab" : String.valueOf(table.delimiter());
    }

    private static Map<String, String> options(SampleTable table, Map<String, String> roles, boolean json) {
        Map<String, String> options = new TreeMap<>();
        String codes = roles.getOrDefault("codes", "codes");
        boolean arrays = table.values(codes).stream().anyMatch(value -> value.isArray());
        if (!arrays) {
            Optional<String> separator = CodeSeparator.of(table.texts(codes));
            separator
                    .filter(found -> json || !found.equals(";"))
                    .ifPresent(found -> options.put("code_separator", found));
            if (json && separator.isEmpty()) {
                options.put("code_separator", ";");
            }
        }
        boolean uncoded = table.texts(codes).stream().anyMatch(String::isBlank)
                || table.values(codes).size() < table.rows()
                || table.values(codes).stream().anyMatch(value -> value.isArray() && value.isEmpty());
        if (uncoded) {
            options.put("uncoded", "keep");
        }
        if (!table.encoding().equals(StandardCharsets.UTF_8)) {
            options.put("encoding", table.encoding().name().toLowerCase(Locale.ROOT));
        }
        return options;
    }

    private static CorpusConfig folder(Path path) {
        List<String> names = list(path);
        List<String> tables = names.stream()
                .filter(name -> CorpusFormats.inferFromName(name)
                        .filter(format -> !format.equals("parquet"))
                        .isPresent())
                .toList();
        Map<String, List<String>> splits = splitsByName(tables);
        List<String> train = splits.getOrDefault("train", List.of());
        if (!train.isEmpty()) {
            return table(path, path.resolve(train.get(0)), splits);
        }
        boolean texts = !TextFiles.list(path, ".txt").isEmpty();
        if (tables.size() == 1 && !texts) {
            return table(path.resolve(tables.get(0)), path.resolve(tables.get(0)), Map.of());
        }
        if (texts) {
            return texts(path, tables);
        }
        throw new UserError(
                "The folder has neither text files nor a table of documents",
                path.toString(),
                "name a file, or put train.csv and test.csv, or .txt files with a codes.csv, into it");
    }

    private static CorpusConfig texts(Path path, List<String> tables) {
        Map<String, String> options = new TreeMap<>();
        if (tables.size() == 1) {
            Path codes = path.resolve(tables.get(0));
            SampleTable table = SampleTable.ofCsv(codes);
            if (!table.columns().keySet().containsAll(List.of("id", "codes"))) {
                throw new UserError(
                        "The table next to the texts needs the columns id and codes; found: "
                                + String.join(", ", table.columns().keySet()),
                        codes.toString(),
                        "rename the columns; an id is the name of a text file without .txt");
            }
            options.put("code_file", codes.toString());
            CodeSeparator.of(table.texts("codes"))
                    .filter(separator -> !separator.equals(";"))
                    .ifPresent(separator -> options.put("code_separator", separator));
        }
        return new CorpusConfig("text", path.toString(), List.of(), List.of(), List.of(), options);
    }

    private static List<String> list(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw TextFiles.unreadable(directory, e);
        }
    }

    /** Assigns names such as {@code train.csv}, {@code validation} or {@code my-test.jsonl} to train, dev and test. */
    private static Map<String, List<String>> splitsByName(List<String> names) {
        Map<String, List<String>> splits = new LinkedHashMap<>();
        for (String name : names) {
            splitOf(name)
                    .ifPresent(split -> splits.merge(
                            split,
                            List.of(name),
                            (a, b) -> Stream.concat(a.stream(), b.stream()).toList()));
        }
        return splits.containsKey("train") ? splits : Map.of();
    }

    private static Optional<String> splitOf(String name) {
        List<String> words = List.of(name.toLowerCase(Locale.ROOT).split("[^a-z]+", -1));
        if (words.contains("train") || words.contains("training")) {
            return Optional.of("train");
        }
        if (words.stream().anyMatch(DEV_NAMES::contains)) {
            return Optional.of("dev");
        }
        return words.contains("test") ? Optional.of("test") : Optional.empty();
    }
}
