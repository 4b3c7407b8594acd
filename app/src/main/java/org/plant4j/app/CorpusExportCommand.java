package org.plant4j.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.plant4j.Progress;
import org.plant4j.corpus.BadRows;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.JsonLinesCorpus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant corpus export}: any corpus as JSON lines. */
@Command(
        name = "export",
        description = {
            "Write a corpus as JSON lines: id, text, codes and evidence.",
            "What is written can be read again with --format jsonl."
        },
        footer = {"", "Example:", "  plant corpus export --format demo --part train --out train.jsonl"})
final class CorpusExportCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final CorpusSource source = new CorpusSource();

    @Option(names = "--part", paramLabel = "PART", description = "Only train, dev or test (default: all).")
    private Optional<String> part = Optional.empty();

    @Option(names = "--out", paramLabel = "FILE", description = "Where to (default: standard output).")
    private Optional<Path> file = Optional.empty();

    @Override
    public Integer call() {
        BadRows badRows = source.badRows();
        Corpus corpus = chosen(source.parts(badRows));
        if (file.isEmpty()) {
            write(corpus, common.out(), common.progressBesideResults());
        } else {
            PageFile.write(file.get(), ""); // tells a folder or a path that cannot be written before all the work
            try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file.get(), StandardCharsets.UTF_8))) {
                long documents = write(corpus, out, common.progress());
                common.say("Written: " + file.get() + ", " + documents + " documents");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        common.say(badRows);
        return CommandLine.ExitCode.OK;
    }

    private Corpus chosen(Map<String, Corpus> parts) {
        if (part.isEmpty()) {
            return Corpora.concat("all", List.copyOf(parts.values()));
        }
        return CorpusSource.part(parts, part.get());
    }

    private static long write(Corpus corpus, PrintWriter out, Progress progress) {
        long[] count = {0};
        try (Progress.Task task = progress.start("export", -1);
                Stream<Document> documents = corpus.documents()) {
            documents.forEachOrdered(document -> {
                out.print(JsonLinesCorpus.line(document) + "\n");
                task.advance(1);
                count[0]++;
            });
        }
        out.flush();
        return count[0];
    }
}
