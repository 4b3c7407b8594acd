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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.corpus.format.AdmissionTables.DischargeNote;
import org.plant4j.support.Arguments;

/**
 * Hospital admissions of MIMIC, each a document of its discharge notes with the codes that pass a filter.
 *
 * <p>The notes are streamed: a first pass counts the notes of each admission, and later passes emit an admission as
 * soon as its last note has been read. Memory holds the count and codes of each admission (shared strings, about 200
 * bytes per admission: 15 MB for MIMIC-III, 100 MB for MIMIC-IV) and the texts of admissions whose addenda are still to
 * come: in MIMIC-III, with 59,652 notes of 52,726 admissions, at most 6,926 texts, less than 150 MB.
 */
final class Admissions {

    /**
     * The codes to keep: those of a list file with one code per line, if any; of these the {@code top} most frequent;
     * and only codes that occur in at least {@code minDocuments} admissions.
     */
    record CodeFilter(Optional<Path> list, int top, int minDocuments) {

        static final List<String> OPTION_NAMES = List.of("code_list", "top", "min_documents");

        CodeFilter {
            Arguments.atLeast(1, "top", top);
            Arguments.atLeast(1, "min_documents", minDocuments);
        }

        static CodeFilter of(FormatOptions options, int defaultMinDocuments) {
            return new CodeFilter(
                    options.find("code_list").map(Path::of),
                    options.intValue("top", 1).orElse(Integer.MAX_VALUE),
                    options.intValue("min_documents", 1).orElse(defaultMinDocuments));
        }
    }

    private record Admission(List<String> codes, int notes) {}

    private final AdmissionTables tables;
    private final CodeFilter filter;
    private final BadRowHandler badRows;
    private @Nullable Map<String, Admission> index;

    Admissions(AdmissionTables tables, CodeFilter filter, BadRowHandler badRows) {
        this.tables = tables;
        this.filter = filter;
        this.badRows = badRows;
    }

    /** Streams the admissions with at least one selected note and one kept code. */
    Stream<Document> documents(Predicate<DischargeNote> selected) {
        Map<String, Admission> admissions = index();
        Map<String, List<DischargeNote>> pending = new HashMap<>();
        return tables.notes(badRows).flatMap(note -> {
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
            return read.stream().anyMatch(selected) ? Stream.of(document(read, admission)) : Stream.empty();
        });
    }

    private static Document document(List<DischargeNote> notes, Admission admission) {
        StringBuilder text = new StringBuilder();
        // The sort is stable: summaries before addenda, each in file order.
        notes.stream().sorted(Comparator.comparing(DischargeNote::addendum)).forEach(note -> {
            text.append(text.isEmpty() ? "" : "\n").append(note.text());
        });
        String id = notes.get(0).admission();
        if (text.length() > Document.MAX_CHARACTERS) {
            throw TextFiles.tooLong(Document.MAX_CHARACTERS, "admission " + id);
        }
        String patient = notes.get(0).patient();
        return new Document(id, text.toString(), new HashSet<>(admission.codes()), List.of(), patient);
    }

    private synchronized Map<String, Admission> index() {
        if (index == null) {
            index = readIndex();
        }
        return index;
    }

    private Map<String, Admission> readIndex() {
        Map<String, Integer> noteCounts = new HashMap<>();
        // Bad notes are reported by the passes that emit documents, so this pass skips them silently.
        try (Stream<DischargeNote> notes = tables.notes(BadRowHandler.skip())) {
            notes.forEach(note -> noteCounts.merge(note.admission(), 1, Integer::sum));
        }
        Map<String, List<String>> codes = tables.codes(badRows);
        codes.keySet().retainAll(noteCounts.keySet());
        Set<String> kept = keptCodes(codes);
        Map<String, Admission> admissions = new HashMap<>();
        codes.forEach((id, all) -> {
            List<String> own = all.stream().filter(kept::contains).distinct().toList();
            if (!own.isEmpty()) {
                admissions.put(id, new Admission(own, noteCounts.getOrDefault(id, 0)));
            }
        });
        return admissions;
    }

    /** Frequencies count all admissions with notes, whatever their split, as in the published label sets. */
    private Set<String> keptCodes(Map<String, List<String>> codes) {
        Map<String, Integer> frequencies = new HashMap<>();
        codes.values().forEach(all -> new HashSet<>(all).forEach(code -> frequencies.merge(code, 1, Integer::sum)));
        filter.list().ifPresent(list -> frequencies.keySet().retainAll(readCodeList(list, frequencies.keySet())));
        Comparator<Map.Entry<String, Integer>> byFrequency = Map.Entry.comparingByValue(Comparator.reverseOrder());
        return frequencies.entrySet().stream()
                .filter(entry -> entry.getValue() >= filter.minDocuments())
                .sorted(byFrequency.thenComparing(Map.Entry.comparingByKey()))
                .limit(filter.top())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private Set<String> readCodeList(Path list, Set<String> known) {
        try (Stream<TextFiles.Line> lines = TextFiles.lines(list, badRows)) {
            Set<String> listed = lines.map(line -> line.text().strip().toUpperCase(Locale.ROOT))
                    .collect(Collectors.toSet());
            if (Collections.disjoint(listed, known)) {
                throw new UserError(
                        "No admission has a code of this list",
                        list.toString(),
                        "write one code per line, with its dot: 428.0, 38.93");
            }
            return listed;
        }
    }
}
