package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;

/** A corpus format: its name in configs, the options it accepts, and how to open a corpus of this format. */
record CorpusFormat(String name, List<String> optionNames, Opener opener) {

    /** Options of every format: how to split a corpus that the config does not divide into subsets. */
    private static final List<String> SPLIT_OPTIONS = List.of("fractions", "seed");

    @FunctionalInterface
    interface Opener {
        OpenedCorpus open(Path path, FormatOptions options, BadRowHandler badRows);
    }

    /** A corpus with its subsets by name; a config assigns subsets to train, dev and test. */
    public record OpenedCorpus(Corpus whole, Function<String, Corpus> subset) {

        /** For formats whose subsets are files or directories under the path. */
        static OpenedCorpus ofPaths(Path path, Function<Path, Corpus> reader) {
            return new OpenedCorpus(reader.apply(path), name -> reader.apply(path.resolve(name)));
        }
    }

    OpenedCorpus open(Path path, Map<String, String> options, BadRowHandler badRows) {
        return opener.open(path, options(options), badRows);
    }

    /** Checks the option names. */
    FormatOptions options(Map<String, String> values) {
        return new FormatOptions(
                values,
                Stream.concat(optionNames.stream(), SPLIT_OPTIONS.stream()).toList());
    }
}
