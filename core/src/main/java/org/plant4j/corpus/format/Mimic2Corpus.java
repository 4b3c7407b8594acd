package org.plant4j.corpus.format;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;
import org.plant4j.support.DidYouMean;

/**
 * MIMIC-II as Perotte et al. (2014) published it: {@code MIMIC_RAW_DSUMS}, one discharge summary per line with fields
 * separated by {@code |} (subject, admission, time, category, title, ICD-9 codes, text), and row numbers of the training and
 * test documents. As in their code and in CAML's, rows without words are left out before rows are numbered.
 */
final class Mimic2Corpus implements Corpus {

    static final CorpusFormat FORMAT =
            new CorpusFormat("mimic2", List.of(), (directory, options, badRows) -> open(directory, badRows));

    private static final int FIELDS = 7;

    /** The published split has no dev documents: every twentieth training document is one. */
    private static final int DEV_INTERVAL = 20;

    private static final Pattern BOILERPLATE = Pattern.compile(
            "\\[[^\\]]+\\]|admission date:|discharge date:|date of birth:|sex:|service:"
                    + "|(dictated by:|completed by:|signed electronically by:).*$",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_ ]*");
    private static final Pattern WORD = Pattern.compile("[A-Za-z]{2}");

    private final String name;
    private final Path file;
    private final BadRowHandler badRows;
    private final Optional<Set<Long>> rows;

    private Mimic2Corpus(String name, Path file, BadRowHandler badRows, Optional<Set<Long>> rows) {
        this.name = name;
        this.file = file;
        this.badRows = badRows;
        this.rows = rows;
    }

    private static OpenedCorpus open(Path directory, BadRowHandler badRows) {
        Path file = TextFiles.resolve(directory, "MIMIC_RAW_DSUMS");
        return new OpenedCorpus(
                new Mimic2Corpus("mimic2", file, badRows, Optional.empty()),
                split -> new Mimic2Corpus(split, file, badRows, Optional.of(rowsOf(split, directory, badRows))));
    }

    private static Set<Long> rowsOf(String split, Path directory, BadRowHandler badRows) {
        List<String> splits = List.of("train", "dev", "test");
        if (!splits.contains(split)) {
            throw new UserError(
                    "MIMIC-II has no split '" + split + "'", directory.toString(), DidYouMean.remedy(split, splits));
        }
        String list = split.equals("test") ? "testing_indices.data" : "training_indices.data";
        List<Long> all;
        try (Stream<TextFiles.Line> lines = TextFiles.lines(TextFiles.resolve(directory, list), badRows)) {
            all = lines.filter(line -> !line.text().isBlank())
                    .map(Mimic2Corpus::parseRow)
                    .toList();
        }
        if (split.equals("test")) {
            return new HashSet<>(all);
        }
        boolean dev = split.equals("dev");
        Set<Long> own = new HashSet<>();
        for (int i = 0; i < all.size(); i++) {
            if ((i % DEV_INTERVAL == DEV_INTERVAL - 1) == dev) {
                own.add(all.get(i));
            }
        }
        return own;
    }

    private static Long parseRow(TextFiles.Line line) {
        try {
            return Long.valueOf(line.text().strip());
        } catch (NumberFormatException e) {
            throw new UserError("Not a row number", line.where(), "write one row number per line", e);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Stream<Document> documents() {
        AtomicLong next = new AtomicLong();
        return TextFiles.lines(file, StandardCharsets.ISO_8859_1, badRows)
                .filter(line -> !isHeader(line))
                .filter(Mimic2Corpus::hasWords)
                .flatMap(line -> {
                    long row = next.getAndIncrement(); // bad rows are numbered too: the lists count them
                    return rows.isPresent() && !rows.get().contains(row)
                            ? Stream.empty()
                            : badRows.tryRead(() -> document(fields(line), row)).stream();
                });
    }

    /**
     * Whether it is the first line, which must be a header of as many fields: in a file without one the first document would
     * be lost, and all rows misnumbered.
     */
    private static boolean isHeader(TextFiles.Line line) {
        if (line.number() > 1) {
            return false;
        }
        String[] names = line.text().split("\\|", -1);
        if (names.length != FIELDS || !NAME.matcher(unquoted(names[1])).matches()) {
            throw new UserError(
                    "The first line does not name " + FIELDS + " columns separated by |",
                    line.where(),
                    "use MIMIC_RAW_DSUMS as published, with its header");
        }
        return true;
    }

    /** Whether the text, the last field, has words. A row with fewer fields is not known to have none. */
    private static boolean hasWords(TextFiles.Line line) {
        String[] fields = line.text().split("\\|", FIELDS);
        return fields.length < FIELDS
                || WORD.matcher(BOILERPLATE.matcher(fields[FIELDS - 1]).replaceAll(" "))
                        .find();
    }

    private static String[] fields(TextFiles.Line line) {
        String[] fields = line.text().split("\\|", FIELDS);
        if (fields.length < FIELDS) {
            throw new UserError(
                    "Expected " + FIELDS + " fields separated by |, found " + fields.length,
                    line.where(),
                    "use MIMIC_RAW_DSUMS as published");
        }
        return fields;
    }

    private static Document document(String[] fields, long row) {
        Set<String> codes = Stream.of(unquoted(fields[5]).split(","))
                .map(String::strip)
                .filter(code -> !code.isEmpty())
                .map(code -> code.equals("719.70") ? "719.7" : code) // an irregularity of the data
                .collect(Collectors.toSet());
        String text = unquoted(fields[6]).replace("[NEWLINE]", "\n");
        // An admission can have several summaries, so the row makes the id unique.
        return new Document(unquoted(fields[1]) + "-" + row, text, codes, List.of(), unquoted(fields[0]));
    }

    private static String unquoted(String field) {
        return field.replace("\"", "").strip();
    }
}
