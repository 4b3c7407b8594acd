package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;

/** A directory of {@code .txt} files without codes: documents to be coded, or text for pretraining. */
final class TextDirectoryCorpus implements Corpus {

    static final CorpusFormat FORMAT = new CorpusFormat(
            "text",
            List.of(),
            (path, options, badRows) ->
                    OpenedCorpus.ofPaths(path, directory -> new TextDirectoryCorpus(directory, badRows)));

    private final Path directory;
    private final BadRowHandler badRows;

    TextDirectoryCorpus(Path directory, BadRowHandler badRows) {
        this.directory = directory;
        this.badRows = badRows;
    }

    @Override
    public String name() {
        return String.valueOf(directory.getFileName());
    }

    @Override
    public Stream<Document> documents() {
        return new TextCollection(directory, badRows).uncodedDocuments();
    }
}
