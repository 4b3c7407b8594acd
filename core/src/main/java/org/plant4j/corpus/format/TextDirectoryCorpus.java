package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.DelimitedFile;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;

/**
 * A directory of {@code .txt} files: documents to be coded, or text for pretraining. A code file, a table with the columns
 * {@code id} and {@code codes}, makes it a corpus with codes; an id is the name of a file without {@code .txt}.
 */
final class TextDirectoryCorpus implements Corpus {

    static final CorpusFormat FORMAT = new CorpusFormat(
            "text",
            Stream.concat(Stream.of("code_file"), CodeField.OPTION_NAMES.stream())
                    .toList(),
            TextDirectoryCorpus::open);

    private final Path directory;
    private final Optional<CodeFile> codeFile;
    private final BadRowHandler badRows;

    TextDirectoryCorpus(Path directory, BadRowHandler badRows) {
        this(directory, Optional.empty(), badRows);
    }

    private TextDirectoryCorpus(Path directory, Optional<CodeFile> codeFile, BadRowHandler badRows) {
        this.directory = directory;
        this.codeFile = codeFile;
        this.badRows = badRows;
    }

    private static OpenedCorpus open(Path path, FormatOptions options, BadRowHandler badRows) {
        CodeField codes = CodeField.of(options);
        List<Path> directories = options.subsets().isEmpty()
                ? List.of(path)
                : options.subsets().stream().map(path::resolve).distinct().toList();
        Optional<CodeFile> codeFile =
                options.find("code_file").map(Path::of).map(file -> new CodeFile(file, codes, directories));
        return OpenedCorpus.ofPaths(path, directory -> new TextDirectoryCorpus(directory, codeFile, badRows));
    }

    /**
     * A table with the codes of each document, in one row or several.
     *
     * @param directories all that it has codes for, such as those of train, dev and test
     */
    private record CodeFile(Path path, CodeField field, List<Path> directories) {

        void addTo(TextCollection texts, BadRowHandler badRows) {
            Set<String> others = idsOfOthers(texts, badRows);
            char delimiter = TableLayout.DEFAULT.delimiter(path);
            try (Stream<DelimitedFile.Row> rows = DelimitedFile.rows(path, delimiter, badRows, "id", "codes")) {
                rows.filter(row -> !others.contains(row.get("id").strip()))
                        .forEach(row -> badRows.tryRead(() -> {
                            List<String> codes = List.of(row.get("codes").split(Pattern.quote(field.separator()), -1));
                            return texts.addCodes(row.get("id").strip(), field.parse(codes, row.where()), row.where());
                        }));
            }
        }

        /** Documents of the other directories; the table cannot tell two documents of one name apart. */
        private Set<String> idsOfOthers(TextCollection texts, BadRowHandler badRows) {
            Set<String> ids = new HashSet<>();
            for (Path other : directories) {
                if (!other.equals(texts.directory())) {
                    ids.addAll(new TextCollection(other, badRows).ids());
                }
            }
            texts.ids().stream().filter(ids::contains).sorted().findFirst().ifPresent(id -> {
                throw new UserError(
                        "Two directories contain a document '" + id + "', and one code file describes both",
                        path.toString(),
                        "rename one of the documents");
            });
            return ids;
        }
    }

    @Override
    public String name() {
        return String.valueOf(directory.getFileName());
    }

    @Override
    public Stream<Document> documents() {
        TextCollection texts = new TextCollection(directory, badRows);
        if (codeFile.isEmpty()) {
            return texts.uncodedDocuments();
        }
        codeFile.get().addTo(texts, badRows);
        return texts.codedDocuments(id -> List.of());
    }
}
