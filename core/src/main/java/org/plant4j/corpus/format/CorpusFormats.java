package org.plant4j.corpus.format;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Fold;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.SplitFractions;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;
import org.plant4j.support.DidYouMean;

/**
 * The registry of corpus formats. To add one, write a reader that implements {@link Corpus}, describe it by a {@link
 * CorpusFormat} constant, and list the constant here.
 */
public final class CorpusFormats {

    private static final List<CorpusFormat> FORMATS = List.of(
            CsvCorpus.FORMAT,
            JsonLinesCorpus.FORMAT,
            ParquetFormat.FORMAT,
            CantemistCorpus.FORMAT,
            CodiespCorpus.FORMAT,
            Mimic2Corpus.FORMAT,
            Mimic3Tables.FORMAT,
            Mimic4Tables.FORMAT,
            TextDirectoryCorpus.FORMAT,
            DemoFormat.FORMAT);

    private static final Map<String, String> FORMATS_BY_SUFFIX =
            Map.of("csv", "csv", "tsv", "csv", "tab", "csv", "jsonl", "jsonl", "ndjson", "jsonl", "parquet", "parquet");

    private CorpusFormats() {}

    /** The names that {@link CorpusConfig#format} accepts. */
    public static List<String> names() {
        return FORMATS.stream().map(CorpusFormat::name).toList();
    }

    /**
     * The format of a corpus by its file names; the first of {@code train} decides if the path is a directory of files.
     */
    public static String infer(String path, List<String> train) {
        String name = train.isEmpty() ? path : train.get(0);
        return named(path, name)
                .or(() -> named(path, path))
                .orElseThrow(() -> new UserError(
                        path.isBlank() ? "The corpus has no format and no path" : "The format of the corpus is unknown",
                        path.isBlank() ? "format" : name,
                        "set format to one of " + String.join(", ", names())));
    }

    private static Optional<String> named(String path, String name) {
        if (!name.isBlank() && Files.isDirectory(Path.of(path).resolve(name))) {
            boolean texts = !TextFiles.list(Path.of(path).resolve(name), ".txt").isEmpty();
            return texts ? Optional.of(TextDirectoryCorpus.FORMAT.name()) : Optional.empty();
        }
        return inferFromName(name);
    }

    /** The format that the name of a file stands for, such as {@code csv} for {@code notes.tsv.gz}. */
    public static Optional<String> inferFromName(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        name = name.endsWith(".gz") ? name.substring(0, name.length() - ".gz".length()) : name;
        return Optional.ofNullable(FORMATS_BY_SUFFIX.get(name.substring(name.lastIndexOf('.') + 1)));
    }

    /** Opens the subsets that the config assigns to train, dev and test, or else splits the corpus by fractions. */
    public static Splits openSplits(CorpusConfig config, BadRowHandler badRows) {
        return LabelFilter.filter(
                openUnfiltered(config, badRows), named(config.format()).options(config));
    }

    private static Splits openUnfiltered(CorpusConfig config, BadRowHandler badRows) {
        OpenedCorpus corpus = named(config.format()).open(config, badRows);
        if (isSplitByGroup(config)) {
            Corpus all = config.train().isEmpty() ? corpus.whole() : concat("all", corpus, labelledSubsets(config));
            return Corpora.split(all, splitByGroup(config));
        }
        checkSplits(config);
        return new Splits(
                concat("train", corpus, config.train()),
                concat("dev", corpus, config.dev()),
                concat("test", corpus, config.test()));
    }

    /** Whether the split of each document is drawn: the config names no subsets, or asks for a fold. */
    public static boolean isSplitByGroup(CorpusConfig config) {
        return config.train().isEmpty() || config.options().containsKey("fold");
    }

    /** The named subsets that cross-validation divides again; test stays apart. */
    public static List<String> labelledSubsets(CorpusConfig config) {
        return Stream.concat(config.train().stream(), config.dev().stream()).toList();
    }

    /** Throws if a config divides a corpus both into subsets and by fractions or groups. */
    public static void checkSplits(CorpusConfig config) {
        if (isSplitByGroup(config)) {
            return;
        }
        if (config.options().containsKey("fractions")) {
            throw new UserError(
                    "The config has both named splits and fractions",
                    "options.fractions",
                    "remove train, dev and test, or remove fractions");
        }
        if (config.columns().containsKey(TableLayout.GROUP)) {
            throw new UserError(
                    "The config has both named splits and a group column, which decides the split",
                    "columns.group",
                    "remove train, dev and test, or remove the group");
        }
    }

    /** Opens one of the subsets that the config assigns to a split, or the whole corpus if it assigns none. */
    public static Corpus openSubset(CorpusConfig config, Optional<String> subset, BadRowHandler badRows) {
        OpenedCorpus corpus = named(config.format()).open(config, badRows);
        return subset.map(corpus.subset()).orElse(corpus.whole());
    }

    /** How the config splits a corpus that it does not divide into subsets: by the groups of documents. */
    public static Function<String, Split> splitByGroup(CorpusConfig config) {
        FormatOptions options = named(config.format()).options(config);
        int seed = options.intValue("seed", 0).orElse(0);
        Optional<Fold> fold = options.find("fold").map(Fold::parse);
        if (fold.isPresent()) {
            return group -> Corpora.splitOf(group, fold.get(), seed);
        }
        SplitFractions fractions =
                options.find("fractions").map(SplitFractions::parse).orElse(SplitFractions.DEFAULT);
        return group -> Corpora.splitOf(group, fractions, seed);
    }

    /** Opens a corpus as a whole: a file, a directory, or all of MIMIC. */
    public static Corpus openCorpus(CorpusConfig config, BadRowHandler badRows) {
        return named(config.format()).open(config, badRows).whole();
    }

    /** Opens a corpus as a whole: a file, a directory, or all of MIMIC. */
    public static Corpus openCorpus(String format, Path path, Map<String, String> options, BadRowHandler badRows) {
        CorpusConfig config = new CorpusConfig(format, path.toString(), List.of(), List.of(), List.of(), options);
        return openCorpus(config, badRows);
    }

    static CorpusFormat named(String name) {
        return FORMATS.stream()
                .filter(format -> format.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UserError(
                        "Unknown corpus format '" + name + "'", "format", DidYouMean.remedy(name, names())));
    }

    private static Corpus concat(String split, OpenedCorpus corpus, List<String> subsets) {
        return Corpora.concat(split, subsets.stream().map(corpus.subset()).toList());
    }
}
