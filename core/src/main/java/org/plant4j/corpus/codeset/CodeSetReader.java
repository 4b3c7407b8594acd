package org.plant4j.corpus.codeset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.plant4j.corpus.codeset.CodeSet.Entry;
import org.plant4j.corpus.file.DelimitedFile;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.support.UserError;

/** Reads the official lists of codes, each told by its header. */
public final class CodeSetReader {

    /** A list's columns; {@code valid} is empty where every code may be assigned. */
    private record Layout(
            CodeSystem system,
            char separator,
            String code,
            String description,
            String valid,
            Predicate<DelimitedFile.Row> wanted) {

        Layout(CodeSystem system, char separator, String code, String description, String valid) {
            this(system, separator, code, description, valid, row -> true);
        }
    }

    /** In order of trial; a code book of our own is tried before them. */
    private static final List<Layout> LAYOUTS = List.of(
            new Layout(CodeSystem.ICD_10_CM, '\t', "icd10cm_code", "icd10cm_long_description", "valid_billing_code"),
            new Layout(CodeSystem.ICD_10_PCS, '\t', "icd10pcs_code", "icd10pcs_long_description", "valid_billing_code"),
            new Layout(CodeSystem.ICD_9_CM, ',', "icd9code", "long_description", ""),
            new Layout(CodeSystem.ICD_O_3, '\t', "codigo", "descriptor completo", ""),
            new Layout(
                    CodeSystem.ICD_O_3,
                    '\t',
                    "Code",
                    "Label",
                    "",
                    row -> row.find("Struct").orElse("title").equals("title")));

    private CodeSetReader() {}

    /**
     * One book of these files, each an official list or written by {@link CodeSet#write}; where two describe a code the
     * earlier file holds, so Spanish morphology before English prefers Spanish.
     */
    public static CodeSet read(List<Path> files) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (Path file : files) {
            for (Entry entry : readEntries(file)) {
                entries.putIfAbsent(entry.code(), entry);
            }
        }
        return CodeSet.of(entries.values().stream()
                .map(entry -> withParent(entry, entries))
                .toList());
    }

    public static CodeSet read(Path file) {
        return read(List.of(file));
    }

    /** The entry under its nearest ancestor in the book, which one file alone may lack. */
    private static Entry withParent(Entry entry, Map<String, Entry> entries) {
        if (entry.parent().isPresent()) {
            return entry;
        }
        Optional<String> parent = CodeSystem.of(entry.code()).ancestors(entry.code()).stream()
                .filter(entries::containsKey)
                .findFirst();
        return new Entry(entry.code(), entry.description(), parent, entry.valid());
    }

    private static List<Entry> readEntries(Path file) {
        List<String> tabbed = columns(file, '\t');
        if (tabbed.equals(List.of("code", "description", "parent", "valid"))) {
            return List.copyOf(CodeSet.read(file).entries());
        }
        List<String> commaed = columns(file, ',');
        for (Layout layout : LAYOUTS) {
            List<String> found = layout.separator() == ',' ? commaed : tabbed;
            if (found.stream().anyMatch(layout.code()::equalsIgnoreCase)) {
                return readEntries(file, layout);
            }
        }
        throw new UserError(
                "Not a known list of codes; columns: " + String.join(", ", commaed.size() > 1 ? commaed : tabbed),
                file.toString(),
                "give it the tab-separated columns code, description, parent, valid");
    }

    private static List<String> columns(Path file, char separator) {
        try (DelimitedFile table = DelimitedFile.openCodeList(file, separator)) {
            return table.columns();
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        }
    }

    private static List<Entry> readEntries(Path file, Layout layout) {
        List<Entry> entries = new ArrayList<>();
        try (Stream<DelimitedFile.Row> rows =
                DelimitedFile.openCodeList(file, layout.separator(), layout.code(), layout.description()).stream()) {
            rows.filter(layout.wanted()).forEach(row -> {
                // One English row holds its code twice, on two lines.
                String written = row.get(layout.code()).strip().split("\\s+", 2)[0];
                boolean valid =
                        layout.valid().isEmpty() || row.get(layout.valid()).equals("1");
                String description = row.get(layout.description()).strip().replaceAll("\\s+", " ");
                entries.add(new Entry(layout.system().canonical(written), description, Optional.empty(), valid));
            });
        }
        return entries;
    }
}
