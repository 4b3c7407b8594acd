package org.plant4j.corpus.codeset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.corpus.codeset.CodeSet.Entry;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.DelimitedFile;
import org.plant4j.corpus.file.TextFiles;

/**
 * Reads official code lists, recognised by their headers, files written by {@link CodeSet#write}, and own lists with the
 * columns {@code code} and {@code description}, separated by tabs or commas, or with two columns.
 */
public final class CodeSetReader {

    /** The columns of a code list; {@code valid} is empty if all of its codes are valid. */
    private record Layout(
            UnaryOperator<String> canonical,
            char separator,
            String code,
            String description,
            String valid,
            Predicate<DelimitedFile.Row> included) {

        Layout(UnaryOperator<String> canonical, char separator, String code, String description, String valid) {
            this(canonical, separator, code, description, valid, row -> true);
        }

        boolean matches(List<String> columns) {
            return Stream.of(code, description)
                    .allMatch(required -> columns.stream().anyMatch(required::equalsIgnoreCase));
        }
    }

    /** Tried in this order. */
    private static final List<Layout> LAYOUTS = List.of(
            new Layout(
                    CodeSystem.ICD_10_CM::canonical,
                    '\t',
                    "icd10cm_code",
                    "icd10cm_long_description",
                    "valid_billing_code"),
            new Layout(
                    CodeSystem.ICD_10_PCS::canonical,
                    '\t',
                    "icd10pcs_code",
                    "icd10pcs_long_description",
                    "valid_billing_code"),
            new Layout(CodeSystem.ICD_9_CM::canonical, ',', "icd9code", "long_description", ""),
            new Layout(CodeSystem.ICD_O_3::canonical, '\t', "codigo", "descriptor completo", ""),
            new Layout(
                    // One row of this list contains its code twice, on two lines.
                    code -> CodeSystem.ICD_O_3.canonical(code.strip().split("\\s+", 2)[0]),
                    '\t',
                    "Code",
                    "Label",
                    "",
                    row -> row.find("Struct").orElse("title").equals("title")),
            new Layout(String::strip, '\t', "code", "description", ""),
            new Layout(String::strip, ',', "code", "description", ""));

    private CodeSetReader() {}

    /**
     * Reads files into one code set. For a code in several files the first is used, so list the preferred language first.
     */
    public static CodeSet read(List<Path> files) {
        return read(files, BadRowHandler.fail());
    }

    /** The same; rows of lists with codes and descriptions, but without parents, can be skipped. */
    public static CodeSet read(List<Path> files, BadRowHandler badRows) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (Path file : files) {
            for (Entry entry : readEntries(file, badRows)) {
                entries.putIfAbsent(entry.code(), entry);
            }
        }
        String where = files.stream().map(Path::toString).collect(Collectors.joining(", "));
        entries.values().forEach(entry -> checkParent(entry, entries, where));
        return CodeSet.of(
                entries.values().stream()
                        .map(entry -> withParent(entry, entries))
                        .toList(),
                where);
    }

    private static void checkParent(Entry entry, Map<String, Entry> entries, String where) {
        entry.parent().filter(parent -> !entries.containsKey(parent)).ifPresent(parent -> {
            throw new UserError(
                    "The code " + entry.code() + " has the parent " + parent + ", which is not in the code set",
                    where,
                    "add the parent, or leave it empty: then it follows from the form of the code");
        });
    }

    public static CodeSet read(Path file) {
        return read(List.of(file));
    }

    /** Sets the parent to the nearest ancestor in any of the files, since a single file may not contain it. */
    private static Entry withParent(Entry entry, Map<String, Entry> entries) {
        if (entry.parent().isPresent()) {
            return entry;
        }
        Optional<String> parent = CodeSystem.of(entry.code()).ancestors(entry.code()).stream()
                .filter(entries::containsKey)
                .findFirst();
        return new Entry(entry.code(), entry.description(), parent, entry.valid());
    }

    private static Collection<Entry> readEntries(Path file, BadRowHandler badRows) {
        List<String> tabColumns = columns(file, '\t');
        if (tabColumns.equals(CodeSet.COLUMNS)) {
            return CodeSet.readEntries(file);
        }
        List<String> commaColumns = columns(file, ',');
        Optional<Collection<Entry>> mimic = MimicCodeList.read(file, commaColumns);
        if (mimic.isPresent()) {
            return mimic.get();
        }
        checkHierarchy(tabColumns, file);
        checkHierarchy(commaColumns, file);
        for (Layout layout : LAYOUTS) {
            List<String> found = layout.separator() == ',' ? commaColumns : tabColumns;
            if (layout.matches(found)) {
                return readEntries(file, layout, badRows);
            }
        }
        Optional<TwoColumnList> list = TwoColumnList.open(file);
        if (list.isPresent()) {
            return list.get().read(badRows);
        }
        throw new UserError(
                "Unknown code list; columns: "
                        + DelimitedFile.describe(commaColumns.size() > 1 ? commaColumns : tabColumns),
                file.toString(),
                "write the columns code and description, separated by tabs or commas");
    }

    /** A list with parents in another form would lose them without a word. */
    private static void checkHierarchy(List<String> columns, Path file) {
        List<String> names = columns.stream()
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .toList();
        if (names.contains("parent") && names.containsAll(List.of("code", "description"))) {
            throw new UserError(
                    "A code list with parents needs exactly the columns " + String.join(", ", CodeSet.COLUMNS)
                            + ", separated by tabs; found: " + String.join(", ", columns),
                    file.toString(),
                    "write these columns in this order, or remove the column parent");
        }
    }

    private static List<String> columns(Path file, char separator) {
        try (DelimitedFile list = DelimitedFile.openCodeList(file, separator)) {
            return list.columns();
        } catch (UserError e) {
            if (e.getCause() instanceof RuntimeException) {
                return List.of(); // quoted columns with another separator
            }
            throw e;
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        }
    }

    private static Collection<Entry> readEntries(Path file, Layout layout, BadRowHandler badRows) {
        String[] required = Stream.of(layout.code(), layout.description(), layout.valid())
                .filter(column -> !column.isEmpty())
                .toArray(String[]::new);
        Map<String, Entry> entries = new LinkedHashMap<>();
        try (Stream<DelimitedFile.Row> rows =
                DelimitedFile.openCodeList(file, layout.separator(), badRows, required).stream()) {
            rows.filter(layout.included())
                    .forEach(row -> badRows.tryRead(() -> {
                        CodeSet.addEntry(entries, entry(row, layout), row.where());
                        return row;
                    }));
        }
        return entries.values();
    }

    private static Entry entry(DelimitedFile.Row row, Layout layout) {
        String code = layout.canonical().apply(row.get(layout.code()));
        String valid = layout.valid().isEmpty() ? "1" : row.get(layout.valid()).strip();
        if (!valid.matches("[01]")) {
            throw new UserError("The validity is neither 0 nor 1", row.where(), "write it as 0 or 1");
        }
        String description = row.get(layout.description()).strip().replaceAll("\\s+", " ");
        return new Entry(code, description, Optional.empty(), valid.equals("1"));
    }
}
