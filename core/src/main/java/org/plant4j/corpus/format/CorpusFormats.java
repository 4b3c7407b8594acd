package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.SplitFractions;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;

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
            Mimic3Tables.FORMAT,
            Mimic4Tables.FORMAT,
            TextDirectoryCorpus.FORMAT,
            DemoFormat.FORMAT);

    private CorpusFormats() {}

    /** The names that {@link CorpusConfig#format} accepts. */
    public static List<String> names() {
        return FORMATS.stream().map(CorpusFormat::name).toList();
    }

    /** Opens the subsets that the config assigns to train, dev and test, or else splits the corpus by fractions. */
    public static Splits openSplits(CorpusConfig config, BadRowHandler badRows) {
        CorpusFormat format = named(config.format());
        OpenedCorpus corpus = format.open(Path.of(config.path()), config.options(), badRows);
        if (config.train().isEmpty()) {
            return Corpora.split(corpus.whole(), splitById(config));
        }
        checkSplits(config);
        return new Splits(
                concat("train", corpus, config.train()),
                concat("dev", corpus, config.dev()),
                concat("test", corpus, config.test()));
    }

    /** Throws if a config divides a corpus both into subsets and by fractions. */
    public static void checkSplits(CorpusConfig config) {
        if (!config.train().isEmpty() && config.options().containsKey("fractions")) {
            throw new UserError(
                    "The config has both named splits and fractions",
                    "options.fractions",
                    "remove train, dev and test, or remove fractions");
        }
    }

    /** Opens one of the subsets that the config assigns to a split, or the whole corpus if it assigns none. */
    public static Corpus openSubset(CorpusConfig config, Optional<String> subset, BadRowHandler badRows) {
        OpenedCorpus corpus = named(config.format()).open(Path.of(config.path()), config.options(), badRows);
        return subset.map(corpus.subset()).orElse(corpus.whole());
    }

    /** How the config splits a corpus that it does not divide into subsets: by the ids of documents. */
    public static Function<String, Split> splitById(CorpusConfig config) {
        FormatOptions options = named(config.format()).options(config.options());
        SplitFractions fractions =
                options.find("fractions").map(SplitFractions::parse).orElse(SplitFractions.DEFAULT);
        int seed = options.intValue("seed", 0).orElse(0);
        return id -> Corpora.splitOf(id, fractions, seed);
    }

    /** Opens a corpus as a whole: a file, a directory, or all of MIMIC. */
    public static Corpus openCorpus(String format, Path path, Map<String, String> options, BadRowHandler badRows) {
        return named(format).open(path, options, badRows).whole();
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
