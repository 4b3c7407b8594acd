package org.plant4j.corpus.codeset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.corpus.file.DelimitedFile;
import org.plant4j.corpus.file.TextFiles;

/** Further names of codes beside their descriptions. Codes are looked up in canonical form. */
public final class Synonyms {

    private static final String CODE = "code";
    private static final List<String> NAMES = List.of("synonym", "description");

    private final Map<String, Set<String>> terms = new HashMap<>();

    private Synonyms() {}

    /**
     * Reads files: with the tab-separated columns {@code code} and {@code synonym} or {@code description}, a row per name;
     * the tabular list of ICD-10-CM, whose inclusion terms are synonyms; or a code list, whose descriptions are synonyms.
     */
    public static Synonyms read(List<Path> files) {
        Synonyms synonyms = new Synonyms();
        files.forEach(synonyms::add);
        return synonyms;
    }

    /** The synonyms of a code, in the order of the files. */
    public List<String> of(String code) {
        return List.copyOf(terms.getOrDefault(code, Collections.emptySet()));
    }

    /** The number of codes with synonyms. */
    public int size() {
        return terms.size();
    }

    private void add(Path file) {
        List<String> columns = columns(file);
        if (TabularList.isXml(columns.get(0))) {
            TabularList.read(file)
                    .entries()
                    .forEach(
                            entry -> entry.notes(TabularEntry.INCLUSION_TERM).forEach(term -> add(entry.code(), term)));
            return;
        }
        NAMES.stream()
                .filter(columns::contains)
                .filter(name -> columns.contains(CODE))
                .findFirst()
                .ifPresentOrElse(
                        name -> addRows(file, name),
                        () -> CodeSetReader.read(file)
                                .entries()
                                .forEach(entry -> add(entry.code(), entry.description())));
    }

    private static List<String> columns(Path file) {
        try (DelimitedFile list = DelimitedFile.openCodeList(file, '\t')) {
            return list.columns();
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        }
    }

    private void addRows(Path file, String name) {
        try (Stream<DelimitedFile.Row> rows = DelimitedFile.openCodeList(file, '\t', CODE, name).stream()) {
            rows.forEach(row -> {
                String code = row.get(CODE).strip();
                String synonym = row.get(name).strip().replaceAll("\\s+", " ");
                if (code.isEmpty() || synonym.isEmpty()) {
                    throw new UserError("The row has no code or no " + name, row.where(), "add it, or remove the row");
                }
                add(code, synonym);
            });
        }
    }

    private void add(String code, String synonym) {
        terms.computeIfAbsent(code, key -> new LinkedHashSet<>()).add(synonym);
    }
}
