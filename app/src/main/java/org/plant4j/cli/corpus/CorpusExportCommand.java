package org.plant4j.cli.corpus;

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
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.JsonLinesCorpus;
import org.plant4j.support.Progress;
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
public final class CorpusExportCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final CorpusArgument source = new CorpusArgument();

    @Option(names = "--part", paramLabel = "PART", description = "Only train, dev or test (default: all).")
    private Optional<String> part = Optional.empty();

    @Option(names = "--out", paramLabel = "FILE", description = "Where to (default: standard output).")
    private Optional<Path> file = Optional.empty();

    @Override
    public Integer call() {
        BadRowHandler badRows = source.badRows();
        Corpus corpus = chosen(source.splits(badRows));
        if (file.isEmpty()) {
            write(corpus, common.out(), common.progressUnlessOnTerminal());
        } else {
            OutputFile.write(file.get(), ""); // tells a folder or a path that cannot be written before all the work
            try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file.get(), StandardCharsets.UTF_8))) {
                long documents = write(corpus, out, common.progress());
                common.info("Written: " + file.get() + ", " + documents + " documents");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        common.info(badRows);
        return CommandLine.ExitCode.OK;
    }

    private Corpus chosen(Map<String, Corpus> parts) {
        if (part.isEmpty()) {
            return Corpora.concat("all", List.copyOf(parts.values()));
        }
        return CorpusArgument.requireSplit(parts, part.get());
    }

    private static long write(Corpus corpus, PrintWriter out, Progress progress) {
        long[] count = {0};
        try (Progress.Task task = progress.start("export", -1);
                Stream<Document> documents = corpus.documents()) {
            documents.forEachOrdered(document -> {
                out.print(JsonLinesCorpus.toJson(document) + "\n");
                task.advance(1);
                count[0]++;
            });
        }
        out.flush();
        return count[0];
    }
}
