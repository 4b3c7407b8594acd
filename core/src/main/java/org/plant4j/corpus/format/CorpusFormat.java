package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;

/**
 * A corpus format: its name in configs, the options it accepts, and how to open a corpus of this format.
 *
 * @param tables whether its files are tables with a {@link TableLayout}
 */
record CorpusFormat(String name, List<String> optionNames, boolean tables, Opener opener) {

    /** Options of every format: how to split a corpus that the config does not divide into subsets, and labels to keep. */
    private static final List<String> COMMON_OPTIONS = List.of("fractions", "fold", "seed", LabelFilter.OPTION);

    CorpusFormat(String name, List<String> optionNames, Opener opener) {
        this(name, optionNames, false, opener);
    }

    static CorpusFormat ofTables(String name, List<String> optionNames, Opener opener) {
        return new CorpusFormat(
                name, Stream.concat(optionNames.stream(), Stream.of("encoding")).toList(), true, opener);
    }

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

        /** For tables: a subset is a value of the split column, or without one another file under the path. */
        static OpenedCorpus ofTables(Path path, TableLayout layout, BiFunction<Path, Optional<String>, Corpus> reader) {
            return layout.names(TableLayout.SPLIT)
                    ? new OpenedCorpus(
                            reader.apply(path, Optional.empty()), name -> reader.apply(path, Optional.of(name)))
                    : ofPaths(path, file -> reader.apply(file, Optional.empty()));
        }
    }

    OpenedCorpus open(CorpusConfig config, BadRowHandler badRows) {
        return opener.open(Path.of(config.path()), options(config), badRows);
    }

    /** Checks the names of columns and options. */
    FormatOptions options(CorpusConfig config) {
        if (!tables && !(config.columns().isEmpty() && config.delimiter().isEmpty())) {
            throw new UserError(
                    "A corpus of the format " + name + " has no columns",
                    config.columns().isEmpty() ? "delimiter" : "columns",
                    "remove the setting, or use the format csv or jsonl");
        }
        return options(config.options())
                .withTable(
                        config.columns(),
                        Optional.of(config.delimiter()).filter(text -> !text.isEmpty()),
                        Stream.of(config.train(), config.dev(), config.test())
                                .flatMap(List::stream)
                                .toList());
    }

    /** Checks the option names. */
    FormatOptions options(Map<String, String> values) {
        return new FormatOptions(
                values,
                Stream.concat(optionNames.stream(), COMMON_OPTIONS.stream()).toList());
    }
}
