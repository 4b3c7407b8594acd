package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.DelimitedFile;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;

/** A CSV file with the columns {@code id,text,codes}, the codes separated by {@code ;}. Other columns are ignored. */
final class CsvCorpus implements Corpus {

    static final CorpusFormat FORMAT = new CorpusFormat("csv", CodeField.OPTION_NAMES, (path, options, badRows) -> {
        CodeField codes = CodeField.of(options);
        return OpenedCorpus.ofPaths(path, file -> new CsvCorpus(file, codes, badRows));
    });

    private final Path file;
    private final CodeField codes;
    private final BadRowHandler badRows;

    CsvCorpus(Path file, CodeField codes, BadRowHandler badRows) {
        this.file = file;
        this.codes = codes;
        this.badRows = badRows;
    }

    @Override
    public String name() {
        return String.valueOf(file.getFileName());
    }

    @Override
    public Stream<Document> documents() {
        String[] columns = codes.required() ? new String[] {"id", "text", "codes"} : new String[] {"id", "text"};
        DocumentChecks checks = new DocumentChecks();
        return DelimitedFile.open(file, ',', badRows, columns).withOptionalColumn("codes").stream()
                .flatMap(row -> badRows.tryRead(() -> checks.check(document(row), row.where())).stream());
    }

    private Document document(DelimitedFile.Row row) {
        List<String> codeTexts = List.of(row.find("codes").orElse("").split(";", -1));
        return new Document(row.get("id").strip(), row.get("text"), codes.parse(codeTexts, row.where()));
    }
}
