package org.plant4j.prediction;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.UserError;

/**
 * Rankings of notes in a file, a line a code: note, code, rank and score, parted by tabs, best code first. The file is
 * plain or gzip.
 */
public final class RankingFile {

    private static final String FORMAT_REMEDY =
            "write note, code, rank and score, parted by tabs, as plant predict --ranked does";

    private final Path file;
    private final Map<String, Ranking> rankings;

    private RankingFile(Path file, Map<String, Ranking> notes) {
        this.file = file;
        this.rankings = Collections.unmodifiableMap(notes);
    }

    public Path file() {
        return file;
    }

    /** The rankings by note, in the file's order. */
    public Map<String, Ranking> rankings() {
        return rankings;
    }

    public static RankingFile read(Path file) {
        Map<String, List<RankedCode>> codes = new LinkedHashMap<>();
        Set<String> met = new HashSet<>();
        try (Stream<TextFiles.Line> lines = TextFiles.lines(file, BadRowHandler.fail())) {
            lines.forEachOrdered(line -> {
                String[] cells = line.text().split("\t", -1);
                if (cells.length != 4) {
                    throw invalid(line, "The line has " + cells.length + " columns, not 4", FORMAT_REMEDY);
                }
                List<RankedCode> above = codes.computeIfAbsent(cells[0], note -> new ArrayList<>());
                RankedCode next = parse(line, cells, above);
                if (!met.add(cells[0] + "\t" + next.normalizedCode())) {
                    throw invalid(
                            line, "Code '" + next.code() + "' is listed twice for this note", "drop one of the lines");
                }
                above.add(next);
            });
        }
        if (codes.isEmpty()) {
            throw new UserError("The file ranks no codes", file.toString(), FORMAT_REMEDY);
        }
        Map<String, Ranking> notes = new LinkedHashMap<>();
        codes.forEach((note, ranked) -> notes.put(note, new Ranking(note, ranked)));
        return new RankingFile(file, notes);
    }

    private static RankedCode parse(TextFiles.Line line, String[] cells, List<RankedCode> above) {
        if (cells[0].isBlank() || cells[1].isBlank()) {
            throw invalid(line, "The line lacks its " + (cells[0].isBlank() ? "note" : "code"), FORMAT_REMEDY);
        }
        int rank = above.size() + 1;
        if (!cells[2].equals(Integer.toString(rank))) {
            throw invalid(
                    line,
                    "The rank is '" + cells[2] + "' where " + rank + " comes next for this note",
                    "list each note once, its codes from rank 1 on, best first");
        }
        double score = number(cells[3]);
        if (!(score >= 0 && score <= 1)) {
            throw invalid(line, "The score '" + cells[3] + "' is no number from 0 to 1", FORMAT_REMEDY);
        }
        if (rank > 1 && score > above.get(rank - 2).score()) {
            throw invalid(line, "The score is higher than that of the rank before", "list the best code first");
        }
        return new RankedCode(cells[1], score);
    }

    private static double number(String cell) {
        try {
            return Double.parseDouble(cell);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static UserError invalid(TextFiles.Line line, String what, String remedy) {
        return new UserError(what, line.where(), remedy);
    }

    /** Writes all or nothing, gzip where the name ends in {@code .gz}; {@code lower} is for codes in lower case. */
    public static void write(Path file, List<Ranking> rankings, boolean lower) {
        boolean gzip = file.toString().endsWith(".gz");
        AtomicFile.write(file, draft -> {
            try (OutputStream plain = Files.newOutputStream(draft);
                    OutputStream packed = gzip ? new GZIPOutputStream(plain, 1 << 16) : plain;
                    Writer out = new BufferedWriter(new OutputStreamWriter(packed, StandardCharsets.UTF_8))) {
                for (Ranking ranking : rankings) {
                    write(ranking, lower, out);
                }
            }
        });
    }

    private static void write(Ranking ranking, boolean lower, Writer out) throws IOException {
        int rank = 0;
        for (RankedCode one : ranking.codes()) {
            String code = lower ? one.code().toLowerCase(Locale.ROOT) : one.code();
            rank++;
            out.write(String.format(Locale.ROOT, "%s\t%s\t%d\t%.6g\n", ranking.documentId(), code, rank, one.score()));
        }
    }

    /**
     * One ranking of each note from those of several files: a code's score is the weighted mean of its scores, 0 in a file
     * that does not list it, and ties go to the lower code. Codes are matched whatever their case.
     */
    public static List<Ranking> merge(List<RankingFile> files, List<Double> weights, int most) {
        if (files.isEmpty() || files.size() != weights.size()) {
            throw new IllegalArgumentException("weights: " + weights.size() + " (expected: " + files.size() + ")");
        }
        files.forEach(file -> files.forEach(file::requireDocumentsOf));
        return files.get(0).rankings.keySet().stream()
                .map(note -> Ranking.weightedMean(
                        files.stream()
                                .flatMap(file -> Stream.ofNullable(file.rankings.get(note)))
                                .toList(),
                        weights,
                        most))
                .toList();
    }

    private void requireDocumentsOf(RankingFile other) {
        List<String> lacking = other.rankings.keySet().stream()
                .filter(note -> !rankings.containsKey(note))
                .toList();
        if (!lacking.isEmpty()) {
            throw new UserError(
                    lacking.size() + " of the notes that " + other.file + " ranks are missing, the first '"
                            + lacking.get(0) + "'",
                    file.toString(),
                    "rank the same part with every run: plant predict RUN --part PART --ranked FILE");
        }
    }
}
