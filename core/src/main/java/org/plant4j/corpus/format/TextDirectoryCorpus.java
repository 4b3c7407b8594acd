package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.corpus.BadRowHandler;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.TextFiles;
import org.plant4j.support.UserError;

/** A folder of {@code .txt} files without codes, in name order: notes to be coded, or text to pretrain on. */
public final class TextDirectoryCorpus implements Corpus {

    private final Path folder;
    private final BadRowHandler badRows;

    public TextDirectoryCorpus(Path folder, BadRowHandler badRows) {
        this.folder = folder;
        this.badRows = badRows;
    }

    @Override
    public String name() {
        return String.valueOf(folder.getFileName());
    }

    @Override
    public Stream<Document> documents() {
        return TextFiles.list(folder, ".txt").stream()
                .flatMap(file -> badRows.tryRead(() -> new Document(id(file), text(file), Set.of())).stream());
    }

    /** The file's name without {@code .txt} or {@code .txt.gz}. */
    static String id(Path file) {
        return String.valueOf(TextFiles.stem(file, ".txt"));
    }

    static String text(Path file) {
        String text = TextFiles.read(file);
        if (text.isBlank()) {
            throw new UserError("The text is empty", file.toString(), "drop the file");
        }
        return text;
    }
}
