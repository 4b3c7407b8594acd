package org.plant4j.corpus;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.plant4j.UserError;

/** A CSV file with the columns {@code id,text,codes}, the codes separated by {@code ;}; other columns are ignored. */
public final class CsvCorpus implements Corpus {

    private final Path file;
    private final CodeField codes;
    private final BadRows badRows;

    public CsvCorpus(Path file, CodeField codes, BadRows badRows) {
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
        return Table.rows(file, ',', badRows, columns).flatMap(row -> badRows.attempt(() -> document(row)).stream());
    }

    private Document document(Table.Row row) {
        String id = row.get("id").strip();
        String text = row.get("text");
        if (id.isEmpty() || text.isBlank()) {
            throw new UserError(
                    "The document has no " + (id.isEmpty() ? "id" : "text"),
                    row.where(),
                    "fill it in, or drop the row");
        }
        List<String> written = List.of(row.find("codes").orElse("").split(";", -1));
        return new Document(id, text, codes.read(written, row.where()));
    }
}
