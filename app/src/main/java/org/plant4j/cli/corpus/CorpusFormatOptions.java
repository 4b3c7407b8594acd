package org.plant4j.cli.corpus;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.cli.option.BadRowsOption;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.corpus.format.CorpusFormats;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name the format of a corpus. */
public final class CorpusFormatOptions {

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            completionCandidates = FormatNames.class,
            description = "Corpus format: ${COMPLETION-CANDIDATES}.")
    private Optional<String> format = Optional.empty();

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description = "Format option, such as language=en; may be repeated.")
    private Map<String, String> options = Map.of();

    static final class FormatNames implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return CorpusFormats.names().iterator();
        }
    }

    @Mixin
    private final BadRowsOption badRowsOption = new BadRowsOption();

    public Optional<String> format() {
        return format;
    }

    public BadRowHandler badRows() {
        return badRowsOption.open();
    }

    /** Opens the whole corpus. */
    public Corpus openAll(String path, BadRowHandler badRows) {
        config(path, List.of()); // checks the format and the path
        return CorpusFormats.openCorpus(format.orElse(""), Path.of(path), options, badRows);
    }

    /** Opens one split, by its name in the format. */
    public Corpus openSplit(String path, String split, BadRowHandler badRows) {
        return CorpusFormats.openSplits(config(path, List.of(split)), badRows).train();
    }

    private CorpusConfig config(String path, List<String> train) {
        return new CorpusConfig(format.orElse(""), path, train, List.of(), List.of(), options);
    }
}
