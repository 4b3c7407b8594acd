package org.plant4j.fuzz;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.plant4j.Document;

/** The CSV reader. */
final class CsvTarget implements FuzzTarget {

    private final Path directory;

    CsvTarget(Path directory) {
        this.directory = directory;
    }

    @Override
    public String name() {
        return "csv";
    }

    @Override
    public Outcome test(FuzzInput input) {
        List<Document> documents = RandomDocuments.of(input, 4).stream()
                .map(document -> new Document(document.id(), document.text(), document.codes()))
                .toList();
        byte[] bytes = table(documents, input).getBytes(StandardCharsets.UTF_8);
        if (input.chance(0.3)) {
            Supplier<List<Document>> reader = reader(input.chance(0.3) ? CorpusFiles.gzip(bytes, input) : bytes, input);
            SilentDifference.check(documents, FuzzInput.accepted(reader));
            return Outcome.SAME;
        }
        byte[] damaged = ByteMutator.mutate(bytes, input);
        return StrictCsv.check(damaged).check(reader(damaged, input));
    }

    private static String table(List<Document> documents, FuzzInput input) {
        boolean more = input.chance(0.5);
        List<List<String>> rows = new ArrayList<>();
        for (Document document : documents) {
            List<String> row = new ArrayList<>(List.of(document.id(), document.text(), codes(document.codes(), input)));
            if (more) {
                row.add(OddText.valid(input, 4));
            }
            rows.add(row);
        }
        List<String> columns = more ? List.of("id", "text", "codes", "ward") : List.of("id", "text", "codes");
        return CsvWriter.write(columns, rows, input);
    }

    private static String codes(Set<String> codes, FuzzInput input) {
        return String.join(input.pick(";", "; ", " ; ", ";;"), codes);
    }

    private Supplier<List<Document>> reader(byte[] bytes, FuzzInput input) {
        input.step("read " + new String(bytes, StandardCharsets.UTF_8));
        Path file =
                new CorpusFiles().put("documents.csv", bytes).write(directory).resolve("documents.csv");
        return () -> CorpusFiles.read("csv", file, Map.of());
    }
}
