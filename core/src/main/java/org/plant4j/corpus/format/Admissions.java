package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.plant4j.corpus.BadRowHandler;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.TextFiles;
import org.plant4j.support.UserError;

/**
 * Hospital admissions with their discharge notes and codes, as both MIMIC readers see them.
 *
 * <p>The notes file is never held: a first pass counts the notes of each admission, and later passes give an admission
 * out as soon as its last note is read. In memory are each admission's count and codes (shared strings in a list, some
 * 200 bytes an admission: 15 MB for MIMIC-III, 100 MB for MIMIC-IV), and the texts of those admissions whose addenda are
 * still to come: in MIMIC-III, with 59,652 such notes of 52,726 admissions, at most 6,926 texts, under 150 MB.
 */
public final class Admissions {

    /** One discharge note or addendum. */
    public record DischargeNote(String admission, String id, boolean addendum, String text) {}

    /**
     * Which codes are kept: those of the {@code list}, a code a line, where there is one; among them the {@code top} most
     * frequent, and only those of at least {@code minimum} documents.
     */
    public record CodeFilter(Optional<Path> list, int top, int minimum) {

        public CodeFilter {
            if (top < 1 || minimum < 1) {
                throw new IllegalArgumentException("top: " + top + ", minimum: " + minimum + " (expected: >= 1)");
            }
        }
    }

    private record Admission(List<String> codes, int notes) {}

    private final Function<BadRowHandler, Stream<DischargeNote>> notes;
    private final Function<BadRowHandler, Map<String, List<String>>> codes;
    private final CodeFilter choice;
    private final BadRowHandler badRows;
    private @Nullable Map<String, Admission> index;

    Admissions(
            Function<BadRowHandler, Stream<DischargeNote>> notes,
            Function<BadRowHandler, Map<String, List<String>>> codes,
            CodeFilter choice,
            BadRowHandler badRows) {
        this.notes = notes;
        this.codes = codes;
        this.choice = choice;
        this.badRows = badRows;
    }

    /** The admissions that a split holds, told by any of their notes; one without a chosen code is left out. */
    Stream<Document> documents(Predicate<DischargeNote> wanted) {
        Map<String, Admission> admissions = index();
        Map<String, List<DischargeNote>> pending = new HashMap<>();
        return notes.apply(badRows).flatMap(note -> {
            Admission admission = admissions.get(note.admission());
            if (admission == null) {
                return Stream.empty();
            }
            List<DischargeNote> read = pending.computeIfAbsent(note.admission(), id -> new ArrayList<>());
            read.add(note);
            if (read.size() < admission.notes()) {
                return Stream.empty();
            }
            pending.remove(note.admission());
            return read.stream().anyMatch(wanted) ? Stream.of(document(read, admission)) : Stream.empty();
        });
    }

    private static Document document(List<DischargeNote> notes, Admission admission) {
        StringBuilder text = new StringBuilder();
        // A stable sort: summaries before addenda, each in the file's order.
        notes.stream().sorted(Comparator.comparing(DischargeNote::addendum)).forEach(note -> {
            text.append(text.isEmpty() ? "" : "\n").append(note.text());
        });
        return new Document(notes.get(0).admission(), text.toString(), new HashSet<>(admission.codes()));
    }

    private synchronized Map<String, Admission> index() {
        if (index == null) {
            index = readIndex();
        }
        return index;
    }

    private Map<String, Admission> readIndex() {
        Map<String, Integer> counts = new HashMap<>();
        // Bad notes are counted by the passes that give documents out, not here as well.
        try (Stream<DischargeNote> all = notes.apply(BadRowHandler.skip())) {
            all.forEach(note -> counts.merge(note.admission(), 1, Integer::sum));
        }
        Map<String, List<String>> coded = codes.apply(badRows);
        coded.keySet().retainAll(counts.keySet());
        Set<String> chosen = keptCodes(coded);
        Map<String, Admission> admissions = new HashMap<>();
        coded.forEach((id, all) -> {
            List<String> kept = all.stream().filter(chosen::contains).distinct().toList();
            if (!kept.isEmpty()) {
                admissions.put(id, new Admission(kept, counts.getOrDefault(id, 0)));
            }
        });
        return admissions;
    }

    /** Counted over every admission with a note, whatever its split, as the published label sets were. */
    private Set<String> keptCodes(Map<String, List<String>> coded) {
        Map<String, Integer> frequencies = new HashMap<>();
        coded.values().forEach(all -> new HashSet<>(all).forEach(code -> frequencies.merge(code, 1, Integer::sum)));
        Comparator<Map.Entry<String, Integer>> byFrequency = Map.Entry.comparingByValue(Comparator.reverseOrder());
        choice.list().ifPresent(list -> frequencies.keySet().retainAll(readCodeList(list, frequencies.keySet())));
        return new HashSet<>(frequencies.entrySet().stream()
                .filter(entry -> entry.getValue() >= choice.minimum())
                .sorted(byFrequency.thenComparing(Map.Entry.comparingByKey()))
                .limit(choice.top())
                .map(Map.Entry::getKey)
                .toList());
    }

    private Set<String> readCodeList(Path list, Set<String> known) {
        try (Stream<TextFiles.Line> lines = TextFiles.lines(list, badRows)) {
            Set<String> listed = lines.map(line -> line.text().strip().toUpperCase(Locale.ROOT))
                    .collect(Collectors.toSet());
            if (Collections.disjoint(listed, known)) {
                throw new UserError(
                        "No admission has a code of this list",
                        list.toString(),
                        "write one code a line, with its dot: 428.0, 38.93");
            }
            return listed;
        }
    }

    /** An admission's number as every table writes it; some exports make it a decimal number. */
    static String normalizeId(String written) {
        String id = written.strip();
        return id.endsWith(".0") ? id.substring(0, id.length() - 2) : id;
    }
}
