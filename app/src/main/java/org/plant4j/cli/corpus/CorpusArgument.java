package org.plant4j.cli.corpus;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.UserError;
import org.plant4j.cli.option.ExperimentArgument;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.codeset.CodeSetReader;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentLibrary;
import org.plant4j.support.DidYouMean;
import org.plant4j.text.PreparedCorpus;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The corpus that a command line names: that of an experiment, or a path with a format. */
public final class CorpusArgument {

    private static final String DEMO = "demo";

    @Mixin
    private final CorpusFormatOptions format = new CorpusFormatOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "SOURCE",
            description = "Experiment, or the file or directory of a corpus.")
    private Optional<String> source = Optional.empty();

    @Option(names = "--train", paramLabel = "NAME", description = "Name of the training split in the corpus.")
    private Optional<String> train = Optional.empty();

    @Option(names = "--dev", paramLabel = "NAME", description = "Name of the dev split in the corpus.")
    private Optional<String> dev = Optional.empty();

    @Option(names = "--test", paramLabel = "NAME", description = "Name of the test split in the corpus.")
    private Optional<String> test = Optional.empty();

    @Option(names = "--code-set", paramLabel = "FILE", description = "File with code descriptions; may be repeated.")
    private List<Path> codeSets = List.of();

    BadRowHandler badRows() {
        return format.badRows();
    }

    String name() {
        return source.orElseGet(() -> format().orElse("corpus"));
    }

    /** The splits by name, training first; the whole corpus as {@code all} if no split is named. */
    Map<String, Corpus> splits(BadRowHandler badRows) {
        if (format().isEmpty()) {
            if (train.isPresent() || dev.isPresent() || test.isPresent()) {
                throw new UserError(
                        "--train, --dev and --test need a --format", "plant corpus", "add one, such as --format jsonl");
            }
            return splitsByName(CorpusFormats.openSplits(experiment().corpus(), badRows));
        }
        String path = source.orElse("");
        Map<String, String> named = new LinkedHashMap<>();
        train.ifPresent(name -> named.put(PreparedCorpus.TRAIN, name));
        dev.ifPresent(name -> named.put(PreparedCorpus.DEV, name));
        test.ifPresent(name -> named.put(PreparedCorpus.TEST, name));
        if (named.isEmpty() && isDemo()) {
            List.of(PreparedCorpus.TRAIN, PreparedCorpus.DEV, PreparedCorpus.TEST)
                    .forEach(split -> named.put(split, split));
        }
        Map<String, Corpus> splits = new LinkedHashMap<>();
        named.forEach((name, split) -> splits.put(name, format.openSplit(path, split, badRows)));
        if (splits.isEmpty()) {
            splits.put("all", format.openAll(path, badRows));
        }
        return splits;
    }

    private Optional<String> format() {
        return format.format(source);
    }

    private boolean isDemo() {
        return format().equals(Optional.of(DEMO));
    }

    /** The split with a name. */
    public static Corpus requireSplit(Map<String, Corpus> splits, String name) {
        Corpus split = splits.get(name);
        if (split == null) {
            throw new UserError("No such split: '" + name + "'", "--split", DidYouMean.remedy(name, splits.keySet()));
        }
        return split;
    }

    /** The splits of an experiment's corpus by name. */
    public static Map<String, Corpus> splitsByName(Splits split) {
        Map<String, Corpus> splits = new LinkedHashMap<>();
        splits.put(PreparedCorpus.TRAIN, split.train());
        splits.put(PreparedCorpus.DEV, split.dev());
        splits.put(PreparedCorpus.TEST, split.test());
        return splits;
    }

    private Experiment experiment() {
        String name = source.orElseThrow(() -> new UserError(
                "No corpus given",
                "plant corpus",
                "name a corpus such as demo, an experiment such as laat@demo, or a path with its --format"));
        boolean isCorpus =
                ExperimentLibrary.names(ExperimentLibrary.Kind.CORPORA).contains(name);
        return ExperimentArgument.read(isCorpus ? "prior@" + name : name, List.of());
    }

    /** The descriptions of the codes; empty if there are none. */
    CodeSet codeSet(BadRowHandler badRows) {
        if (!codeSets.isEmpty()) {
            return CodeSetReader.read(codeSets, badRows);
        }
        if (format().isPresent()) {
            return isDemo() ? DemoCorpus.codeSet() : CodeSet.empty();
        }
        Experiment experiment = experiment();
        return experiment.corpus().format().equals(DEMO)
                ? DemoCorpus.codeSet()
                : CodeSetReader.read(
                        experiment.codeSets().stream().map(Path::of).toList(), badRows);
    }
}
