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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.support.UserError;

/** A set of codes with their descriptions, hierarchy and validity. Codes are looked up in canonical form. */
public final class CodeSet {

    static final List<String> COLUMNS = List.of("code", "description", "parent", "valid");

    private static final String HEADER = String.join("\t", COLUMNS);
    private static final CodeSet EMPTY = new CodeSet(List.of());

    /** A code; {@code valid} is false for a category that must not be assigned itself. */
    public record Entry(String code, String description, Optional<String> parent, boolean valid) {}

    private final Map<String, Entry> entries;
    private final Map<String, List<Entry>> children = new HashMap<>();
    private final MorphologyDescriptions morphology;

    private CodeSet(Collection<Entry> entries) {
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
    }

    public static CodeSet empty() {
        return EMPTY;
    }

    /** A code set with the given entries, in this order; of duplicate codes the first entry is used. */
    public static CodeSet of(Collection<Entry> entries) {
        return new CodeSet(entries);
    }

    /** Merges code sets, such as diagnoses and procedures; for a code in several sets the first is used. */
    public static CodeSet merge(List<CodeSet> sets) {
        return new CodeSet(sets.stream().flatMap(set -> set.entries().stream()).toList());
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
        List<Entry> entries = new ArrayList<>();
        try (Stream<TextFiles.Line> lines = TextFiles.lines(file, BadRowHandler.fail())) {
            lines.forEach(line -> {
                String[] fields = line.text().split("\t", -1);
                boolean invalid = line.number() == 1 ? !line.text().equals(HEADER) : fields.length != 4;
                if (invalid) {
                    throw new UserError(
                            "Not a row of a code set",
                            line.where(),
                            "write the tab-separated columns " + String.join(", ", COLUMNS));
                }
                if (line.number() > 1) {
                    Optional<String> parent = Optional.of(fields[2]).filter(p -> !p.isEmpty());
                    entries.add(new Entry(fields[0], fields[1], parent, fields[3].equals("1")));
                }
            });
        }
        return new CodeSet(entries);
    }
}
