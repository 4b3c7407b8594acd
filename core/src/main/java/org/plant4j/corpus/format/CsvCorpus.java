package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.DelimitedFile;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;
import org.plant4j.support.UserError;

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
        return DelimitedFile.rows(file, ',', badRows, columns)
                .flatMap(row -> badRows.tryRead(() -> document(row)).stream());
    }

    private Document document(DelimitedFile.Row row) {
        String id = row.get("id").strip();
        String text = row.get("text");
        if (id.isEmpty() || text.isBlank()) {
            throw new UserError(
                    "The document has no " + (id.isEmpty() ? "id" : "text"), row.where(), "add it, or remove the row");
        }
        List<String> codeTexts = List.of(row.find("codes").orElse("").split(";", -1));
        return new Document(id, text, codes.parse(codeTexts, row.where()));
    }
}
