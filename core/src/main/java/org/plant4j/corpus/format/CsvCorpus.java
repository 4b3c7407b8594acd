package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.DelimitedFile;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;

/**
 * A CSV or TSV file with the columns {@code id,text,codes}, or others that a {@link TableLayout} names; the codes are
 * separated by {@code ;}. Without ids, file name and line are the id. Other columns are ignored.
 */
final class CsvCorpus implements Corpus {

    static final CorpusFormat FORMAT =
            CorpusFormat.ofTables("csv", CodeField.OPTION_NAMES, (path, options, badRows) -> {
                CodeField codes = CodeField.of(options);
                TableLayout layout = TableLayout.of(options);
                return OpenedCorpus.ofTables(
                        path, layout, (file, split) -> new CsvCorpus(file, layout, codes, badRows).withSplit(split));
            });

    private final Path file;
    private final TableLayout layout;
    private final CodeField codes;
    private final BadRowHandler badRows;
    private final Optional<String> split;

    CsvCorpus(Path file, CodeField codes, BadRowHandler badRows) {
        this(file, TableLayout.DEFAULT, codes, badRows);
    }

    CsvCorpus(Path file, TableLayout layout, CodeField codes, BadRowHandler badRows) {
        this(file, layout, codes, badRows, Optional.empty());
    }

    private CsvCorpus(Path file, TableLayout layout, CodeField codes, BadRowHandler badRows, Optional<String> split) {
        this.file = file;
        this.layout = layout;
        this.codes = codes;
        this.badRows = badRows;
        this.split = split;
    }

    private CsvCorpus withSplit(Optional<String> name) {
        return new CsvCorpus(file, layout, codes, badRows, name);
    }

    @Override
    public String name() {
        return String.valueOf(file.getFileName());
    }

    @Override
    public Stream<Document> documents() {
        DocumentChecks checks = new DocumentChecks();
        SplitFilter filter = new SplitFilter(split, layout.subsets());
        return filter.checked(
                open().stream()
                        .filter(row -> filter.accepts(row.find(layout.column(TableLayout.SPLIT))))
                        .flatMap(row -> badRows.tryRead(() -> checks.check(document(row), row.where())).stream()),
                file);
    }

    private DelimitedFile open() {
        List<String> required = new ArrayList<>(List.of(layout.column(TableLayout.TEXT)));
        if (codes.required()) {
            required.add(layout.column(TableLayout.CODES));
        }
        Stream.of(TableLayout.ID, TableLayout.GROUP, TableLayout.SPLIT)
                .filter(layout::names)
                .map(layout::column)
                .forEach(required::add);
        try {
            return DelimitedFile.open(
                            file, layout.delimiter(file), layout.encoding(), badRows, required.toArray(String[]::new))
                    .withOptionalColumn(layout.column(TableLayout.CODES));
        } catch (UserError e) {
            boolean header = e.where().endsWith(":1");
            throw header
                    ? new UserError(
                            e.what(),
                            e.where(),
                            e.remedy() + "; for other columns or delimiters: plant init " + file.getFileName(),
                            e)
                    : e;
        }
    }

    private Document document(DelimitedFile.Row row) {
        List<String> codeTexts = List.of(
                row.find(layout.column(TableLayout.CODES)).orElse("").split(Pattern.quote(codes.separator()), -1));
        String id = row.find(layout.column(TableLayout.ID))
                .map(String::strip)
                .orElseGet(() -> layout.lineId(file, row.line()));
        String group = layout.names(TableLayout.GROUP)
                ? row.get(layout.column(TableLayout.GROUP)).strip()
                : id;
        return new Document(
                id,
                row.get(layout.column(TableLayout.TEXT)),
                codes.parse(codeTexts, row.where()),
                List.of(),
                group.isEmpty() ? id : group);
    }
}
