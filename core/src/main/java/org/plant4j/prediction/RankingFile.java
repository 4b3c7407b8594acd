package org.plant4j.prediction;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
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
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.plant4j.RankedCode;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.support.Arguments;
import org.plant4j.support.AtomicFile;

/**
 * A file of rankings with one line per code: document, code, rank and score, tab-separated, best code first. The
 * file may be compressed with gzip.
 */
public final class RankingFile {

    private static final String FORMAT_REMEDY =
            "write document, code, rank and score, tab-separated, as plant predict --ranking does";

    private final Path file;
    private final Map<String, Ranking> rankings;

    private RankingFile(Path file, Map<String, Ranking> rankings) {
        this.file = file;
        this.rankings = Collections.unmodifiableMap(rankings);
    }

    public Path file() {
        return file;
    }

    /** The rankings by document id, in the order of the file. */
    public Map<String, Ranking> rankings() {
        return rankings;
    }

    public static RankingFile read(Path file) {
        Map<String, List<RankedCode>> codes = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        try (Stream<TextFiles.Line> lines = TextFiles.lines(file, BadRowHandler.fail())) {
            lines.forEachOrdered(line -> {
                String[] cells = line.text().split("\t", -1);
                if (cells.length != 4) {
                    throw invalid(line, "The line has " + cells.length + " columns instead of 4", FORMAT_REMEDY);
                }
                List<RankedCode> above = codes.computeIfAbsent(cells[0], document -> new ArrayList<>());
                RankedCode next = parse(line, cells, above);
                if (!seen.add(cells[0] + "\t" + Ranking.normalized(next.code()))) {
                    throw invalid(
                            line,
                            "Code '" + next.code() + "' is listed twice for this document",
                            "delete one of the lines");
                }
                above.add(next);
            });
        }
        if (codes.isEmpty()) {
            throw new UserError("The file contains no rankings", file.toString(), FORMAT_REMEDY);
        }
        Map<String, Ranking> rankings = new LinkedHashMap<>();
        codes.forEach((document, ranked) -> rankings.put(document, new Ranking(document, ranked)));
        return new RankingFile(file, rankings);
    }

    private static RankedCode parse(TextFiles.Line line, String[] cells, List<RankedCode> above) {
        if (cells[0].isBlank() || cells[1].isBlank()) {
            throw invalid(line, "The line has no " + (cells[0].isBlank() ? "document" : "code"), FORMAT_REMEDY);
        }
        int rank = above.size() + 1;
        if (!cells[2].equals(Integer.toString(rank))) {
            throw invalid(
                    line,
                    "The rank is '" + cells[2] + "' where " + rank + " comes next for this document",
                    "list each document once, with its codes from rank 1, best first");
        }
        double score = number(cells[3]);
        if (!(score >= 0 && score <= 1)) {
            throw invalid(line, "The score '" + cells[3] + "' is not a number between 0 and 1", FORMAT_REMEDY);
        }
        if (rank > 1 && score > above.get(rank - 2).score()) {
            throw invalid(line, "The score is higher than that of the previous rank", "list the best code first");
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

    /** Writes a file atomically, compressed if its name ends in {@code .gz}; {@code lower} writes codes in lower case. */
    public static void write(Path file, List<Ranking> rankings, boolean lower) {
        write(file, lower, writer -> rankings.forEach(writer));
    }

    /** Writes a file atomically, each ranking when the source passes it on. */
    public static void write(Path file, boolean lower, Consumer<Consumer<Ranking>> source) {
        boolean gzip = file.toString().endsWith(".gz");
        AtomicFile.write(file, draft -> {
            try (OutputStream plain = Files.newOutputStream(draft);
                    OutputStream packed = gzip ? new GZIPOutputStream(plain, 1 << 16) : plain;
                    Writer out = new BufferedWriter(new OutputStreamWriter(packed, StandardCharsets.UTF_8))) {
                source.accept(ranking -> write(ranking, lower, out));
            }
        });
    }

    private static void write(Ranking ranking, boolean lower, Writer out) {
        int rank = 0;
        try {
            for (RankedCode ranked : ranking.codes()) {
                String code = lower ? ranked.code().toLowerCase(Locale.ROOT) : ranked.code();
                rank++;
                out.write(String.format(
                        Locale.ROOT, "%s\t%s\t%d\t%.6g\n", ranking.documentId(), code, rank, ranked.score()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Merges the rankings of several files document by document. A code's score is the weighted mean of its scores, with 0
     * for files that do not list it. Ties are ordered by code, and codes are compared regardless of case.
     */
    public static List<Ranking> merge(List<RankingFile> files, List<Double> weights, int maxCodes) {
        Arguments.check(
                !files.isEmpty() && files.size() == weights.size(),
                "weights",
                weights.size(),
                String.valueOf(files.size()));
        requireSameDocuments(files);
        return files.get(0).rankings.keySet().stream()
                .map(document -> Ranking.weightedMean(
                        files.stream()
                                .flatMap(file -> Stream.ofNullable(file.rankings.get(document)))
                                .toList(),
                        weights,
                        maxCodes))
                .toList();
    }

    static void requireSameDocuments(List<RankingFile> files) {
        files.forEach(file -> files.forEach(file::requireDocumentsOf));
    }

    private void requireDocumentsOf(RankingFile other) {
        List<String> missing = other.rankings.keySet().stream()
                .filter(document -> !rankings.containsKey(document))
                .toList();
        if (!missing.isEmpty()) {
            throw new UserError(
                    missing.size() + (missing.size() == 1 ? " document" : " documents") + " that " + other.file
                            + " ranks " + (missing.size() == 1 ? "is" : "are") + " missing, starting with '"
                            + missing.get(0) + "'",
                    file.toString(),
                    "rank the same split with every run: plant predict RUN --split SPLIT --ranking FILE");
        }
    }
}
