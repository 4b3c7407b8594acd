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
import org.plant4j.Document;
import org.plant4j.Progress;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.cli.option.SplitNames;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.JsonLinesCorpus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant corpus export}: writes a corpus as JSON lines. */
@Command(
        name = "export",
        description = {
            "Export a corpus as JSON lines: id, text, codes and evidence.",
            "The file can be read with --format jsonl."
        },
        footer = {"", "Example:", "  plant corpus export --format demo --split train -o train.jsonl"})
final class CorpusExportCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final CorpusArgument source = new CorpusArgument();

    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            completionCandidates = SplitNames.class,
            description = "train, dev or test (default: all).")
    private Optional<String> split = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Output file (default: standard output).")
    private Optional<Path> output = Optional.empty();

    @Override
    public Integer call() {
        BadRowHandler badRows = source.badRows();
        Corpus corpus = choose(source.splits(badRows));
        if (output.isEmpty()) {
            write(corpus, common.out(), common.progressUnlessOnTerminal());
        } else {
            OutputFile.write(output.get(), ""); // reports a path that cannot be written before the export starts
            try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(output.get(), StandardCharsets.UTF_8))) {
                long documents = write(corpus, out, common.progress());
                common.info("Wrote " + output.get() + ": " + documents + " documents");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        common.reportSkipped(badRows);
        return CommandLine.ExitCode.OK;
    }

    private Corpus choose(Map<String, Corpus> splits) {
        if (split.isEmpty()) {
            return Corpora.concat("all", List.copyOf(splits.values()));
        }
        return CorpusArgument.requireSplit(splits, split.get());
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
