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

/** Codes with their descriptions, hierarchy and validity; looked up in canonical form. */
public final class CodeSet {

    private static final String HEADER = "code\tdescription\tparent\tvalid";
    private static final CodeSet EMPTY = new CodeSet(List.of());

    /** One code; {@code valid} tells a code that may be assigned from a mere heading. */
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

    /** A book of these entries in this order; of several with one code the first holds. */
    public static CodeSet of(Collection<Entry> entries) {
        return new CodeSet(entries);
    }

    /** One book of several, such as diagnoses and procedures; where two describe a code, the earlier book holds. */
    public static CodeSet merge(List<CodeSet> books) {
        return new CodeSet(
                books.stream().flatMap(book -> book.entries().stream()).toList());
    }

    public Optional<Entry> find(String code) {
        return Optional.ofNullable(entries.get(code));
    }

    /**
     * The code's description; for a code that the book lacks its nearest ancestor's, and a tumour's grade in words after
     * it, as the label description attention paper does (IberLEF 2020, section 3.1). A tumour whose behaviour the book
     * lacks too is described by its cell type's first listed code.
     */
    public Optional<String> describe(String code) {
        Optional<Entry> own = find(code);
        if (own.isPresent()) {
            return own.map(Entry::description);
        }
        return ancestors(code).stream()
                .findFirst()
                .or(() -> morphology.findByCellType(code))
                .map(near -> near.description() + morphology.gradeSuffix(near, code));
    }

    /** The entries above a code, nearest first; also for a code that the book lacks. */
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

    /** The entries right below a code, in the book's order. */
    public List<Entry> children(String code) {
        return Collections.unmodifiableList(children.getOrDefault(code, List.of()));
    }

    /** Every entry, in the book's order. */
    public Collection<Entry> entries() {
        return entries.values();
    }

    public int size() {
        return entries.size();
    }

    /** Writes the book as tab-separated lines under the header {@code code, description, parent, valid}. */
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

    /** Reads what {@link #write} wrote; the official files go through {@link CodeSetReader}. */
    public static CodeSet read(Path file) {
        List<Entry> entries = new ArrayList<>();
        try (Stream<TextFiles.Line> lines = TextFiles.lines(file, BadRowHandler.fail())) {
            lines.forEach(line -> {
                String[] fields = line.text().split("\t", -1);
                boolean wrong = line.number() == 1 ? !line.text().equals(HEADER) : fields.length != 4;
                if (wrong) {
                    throw new UserError(
                            "Not a code book's line",
                            line.where(),
                            "expected, separated by tabs: " + HEADER.replace('\t', ' '));
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
