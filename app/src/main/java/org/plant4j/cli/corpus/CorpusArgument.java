package org.plant4j.cli.corpus;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.cli.option.ExperimentArgument;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.codeset.CodeSetReader;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.Experiment;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;
import org.plant4j.text.PreparedCorpus;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A corpus as the command line names it: that of an experiment, or a path with its format. */
public final class CorpusArgument {

    private static final String DEMO = "demo";

    @Mixin
    private final CorpusFormatOptions format = new CorpusFormatOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "SOURCE",
            description = "With --format the corpus' file or folder, else an experiment.")
    private Optional<String> source = Optional.empty();

    @Option(names = "--train", paramLabel = "PART", description = "The training part under the path.")
    private Optional<String> train = Optional.empty();

    @Option(names = "--dev", paramLabel = "PART", description = "The dev part under the path.")
    private Optional<String> dev = Optional.empty();

    @Option(names = "--test", paramLabel = "PART", description = "The test part under the path.")
    private Optional<String> test = Optional.empty();

    @Option(names = "--codebook", paramLabel = "FILE", description = "Where codes are described; may be repeated.")
    private List<Path> codeBooks = List.of();

    BadRowHandler badRows() {
        return format.badRows();
    }

    String name() {
        return source.orElseGet(() -> format.format().orElse("corpus"));
    }

    /** The parts by name, the training part first; the whole where none is named. */
    Map<String, Corpus> splits(BadRowHandler badRows) {
        if (format.format().isEmpty()) {
            if (train.isPresent() || dev.isPresent() || test.isPresent()) {
                throw new UserError(
                        "Parts are given, but no format", "plant corpus", "add one, such as --format jsonl");
            }
            return splitsByName(CorpusFormats.openSplits(experiment().corpus(), badRows));
        }
        String path = source.orElse("");
        Map<String, String> named = new LinkedHashMap<>();
        train.ifPresent(part -> named.put(PreparedCorpus.TRAIN, part));
        dev.ifPresent(part -> named.put(Pipeline.DEV, part));
        test.ifPresent(part -> named.put(Pipeline.TEST, part));
        if (named.isEmpty() && isDemo()) {
            List.of(PreparedCorpus.TRAIN, Pipeline.DEV, Pipeline.TEST).forEach(part -> named.put(part, part));
        }
        Map<String, Corpus> parts = new LinkedHashMap<>();
        named.forEach((name, part) -> parts.put(name, format.openSplit(path, part, badRows)));
        if (parts.isEmpty()) {
            parts.put("all", format.openAll(path, badRows));
        }
        return parts;
    }

    private boolean isDemo() {
        return format.format().equals(Optional.of(DEMO));
    }

    /** A part by its name. */
    public static Corpus requireSplit(Map<String, Corpus> parts, String name) {
        Corpus part = parts.get(name);
        if (part == null) {
            throw new UserError("There is no part '" + name + "'", "--part", DidYouMean.remedy(name, parts.keySet()));
        }
        return part;
    }

    /** The parts of an experiment's corpus by name. */
    public static Map<String, Corpus> splitsByName(Splits split) {
        Map<String, Corpus> parts = new LinkedHashMap<>();
        parts.put(PreparedCorpus.TRAIN, split.train());
        parts.put(Pipeline.DEV, split.dev());
        parts.put(Pipeline.TEST, split.test());
        return parts;
    }

    private Experiment experiment() {
        source.filter(named -> !named.matches(".*\\.ya?ml") && Files.exists(Path.of(named)))
                .ifPresent(named -> {
                    throw new UserError(
                            "The corpus has no format", named, "add one, such as --format csv, jsonl or text");
                });
        return ExperimentArgument.read(
                source.orElseThrow(() -> new UserError(
                        "No corpus is given",
                        "plant corpus",
                        "name an experiment such as demo-laat, or a --format and a path")),
                List.of());
    }

    /** What the codes mean, as far as it is known. */
    CodeSet codeBook() {
        if (!codeBooks.isEmpty()) {
            return CodeSetReader.read(codeBooks);
        }
        if (format.format().isPresent()) {
            return isDemo() ? DemoCorpus.codeSet() : CodeSet.empty();
        }
        Experiment experiment = experiment();
        return experiment.corpus().format().equals(DEMO)
                ? DemoCorpus.codeSet()
                : CodeSetReader.read(
                        experiment.codebooks().stream().map(Path::of).toList());
    }
}
