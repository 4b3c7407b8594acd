package org.plant4j.corpus.codeset;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TextFiles;

/** A set of codes with their descriptions, hierarchy and validity. Codes are looked up in canonical form. */
public final class CodeSet {

    static final List<String> COLUMNS = List.of("code", "description", "parent", "valid");

    private static final String HEADER = String.join("\t", COLUMNS);
    private static final CodeSet EMPTY = of(List.of());

    /** A code; {@code valid} is false for a category that must not be assigned itself. */
    public record Entry(String code, String description, Optional<String> parent, boolean valid) {}

    private final Map<String, Entry> entries;
    private final Map<String, List<Entry>> children = new HashMap<>();
    private final MorphologyDescriptions morphology;

    private CodeSet(Collection<Entry> entries, String where) {
        Map<String, Entry> byCode = new LinkedHashMap<>();
        for (Entry entry : entries) {
            byCode.putIfAbsent(entry.code(), entry);
        }
        this.entries = Collections.unmodifiableMap(byCode);
        for (Entry entry : byCode.values()) {
            entry.parent()
                    .ifPresent(parent -> children.computeIfAbsent(parent, p -> new ArrayList<>())
                            .add(entry));
        }
        this.morphology = new MorphologyDescriptions(byCode);
        checkHierarchy(where);
    }

    /** Fails if a code is its own ancestor, since its ancestors would never end. */
    private void checkHierarchy(String where) {
        Set<String> checked = new HashSet<>();
        for (Entry entry : entries.values()) {
            Set<String> path = new LinkedHashSet<>();
            Optional<Entry> next = Optional.of(entry);
            while (next.isPresent() && !checked.contains(next.get().code())) {
                String code = next.get().code();
                if (!path.add(code)) {
                    throw new UserError("The code " + code + " is its own ancestor", where, "correct its parent");
                }
                next = parentEntry(code);
            }
            checked.addAll(path);
        }
    }

    public static CodeSet empty() {
        return EMPTY;
    }

    /** A code set with the given entries, in this order; of duplicate codes the first entry is used. */
    public static CodeSet of(Collection<Entry> entries) {
        return of(entries, "code set");
    }

    /** As {@link #of(Collection)}; {@code where} names the files in error messages. */
    static CodeSet of(Collection<Entry> entries, String where) {
        return new CodeSet(entries, where);
    }

    /** Merges code sets, such as diagnoses and procedures; for a code in several sets the first is used. */
    public static CodeSet merge(List<CodeSet> sets) {
        return of(sets.stream().flatMap(set -> set.entries().stream()).toList());
    }

    public Optional<Entry> find(String code) {
        return Optional.ofNullable(entries.get(code));
    }

    /**
     * The description of a code. A code that is not in the set is described by its nearest ancestor, followed by the
     * tumour grade if it has one, as in the label description attention paper (IberLEF 2020, section 3.1); without an
     * ancestor by the first listed code of the same cell type.
     */
    public Optional<String> describe(String code) {
        Optional<Entry> entry = find(code);
        if (entry.isPresent()) {
            return entry.map(Entry::description);
        }
        return ancestors(code).stream()
                .findFirst()
                .or(() -> morphology.findByCellType(code))
                .map(related -> related.description() + morphology.gradeSuffix(related, code));
    }

    /** The ancestors of a code, nearest first; the code itself need not be in the set. */
    public List<Entry> ancestors(String code) {
        List<Entry> above = new ArrayList<>();
        for (Optional<Entry> next = parentEntry(code);
                next.isPresent();
                next = parentEntry(next.get().code())) {
            above.add(next.get());
        }
        return List.copyOf(above);
    }

    private Optional<Entry> parentEntry(String code) {
        Optional<Entry> named = find(code).flatMap(Entry::parent).flatMap(this::find);
        return named.isPresent()
                ? named
                : CodeSystem.of(code).ancestors(code).stream()
                        .flatMap(ancestor -> find(ancestor).stream())
                        .findFirst();
    }

    /** These codes with their ancestors. A code that is not listed gets the description that {@link #describe} derives. */
    public CodeSet restrictedTo(Collection<String> codes) {
        Map<String, Entry> kept = new LinkedHashMap<>();
        for (String code : codes) {
            ancestors(code).forEach(entry -> kept.putIfAbsent(entry.code(), entry));
            find(code)
                    .or(() -> describe(code).map(text -> new Entry(code, text, Optional.empty(), true)))
                    .ifPresent(entry -> kept.putIfAbsent(code, entry));
        }
        return of(kept.values());
    }

    /** The direct children of a code, in the order of the set. */
    public List<Entry> children(String code) {
        return Collections.unmodifiableList(children.getOrDefault(code, List.of()));
    }

    /** All entries, in order. */
    public Collection<Entry> entries() {
        return entries.values();
    }

    public int size() {
        return entries.size();
    }

    /** Writes a tab-separated file with the columns {@code code, description, parent, valid}. */
    public void write(Path file) {
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write(HEADER + "\n");
            for (Entry entry : entries.values()) {
                String description = entry.description().replaceAll("\\s+", " ");
                out.write(entry.code() + "\t" + description + "\t"
                        + entry.parent().orElse("") + "\t" + (entry.valid() ? "1" : "0") + "\n");
            }
        } catch (IOException e) {
            throw TextFiles.unwritable(file, e);
        }
    }

    /** Reads a file that {@link #write} wrote; {@link CodeSetReader} also reads official code lists. */
    public static CodeSet read(Path file) {
        return of(readEntries(file), file.toString());
    }

    static Collection<Entry> readEntries(Path file) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        try (Stream<TextFiles.Line> lines = TextFiles.lines(file, BadRowHandler.fail())) {
            lines.forEach(line -> {
                if (line.number() > 1) {
                    addEntry(entries, entry(line), line.where());
                } else if (!line.text().equals(HEADER)) {
                    throw invalidRow(line);
                }
            });
        }
        return entries.values();
    }

    private static Entry entry(TextFiles.Line line) {
        String[] fields = line.text().split("\t", -1);
        if (fields.length != COLUMNS.size() || !fields[3].matches("[01]")) {
            throw invalidRow(line);
        }
        Optional<String> parent = Optional.of(fields[2]).filter(p -> !p.isEmpty());
        return new Entry(fields[0], fields[1], parent, fields[3].equals("1"));
    }

    private static UserError invalidRow(TextFiles.Line line) {
        return new UserError(
                "Not a row of a code set",
                line.where(),
                "write the tab-separated columns " + String.join(", ", COLUMNS) + ", the last as 0 or 1");
    }

    /** Adds an entry of a file, in which a code has one description. */
    static void addEntry(Map<String, Entry> entries, Entry entry, String where) {
        if (entry.code().isBlank()) {
            throw new UserError("The row has no code", where, "add the code, or remove the row");
        }
        Entry other = entries.putIfAbsent(entry.code(), entry);
        if (other != null && !other.equals(entry)) {
            throw new UserError(
                    "The code " + entry.code() + " occurs twice, with another description, parent or validity",
                    where,
                    "remove one of the rows");
        }
    }
}
