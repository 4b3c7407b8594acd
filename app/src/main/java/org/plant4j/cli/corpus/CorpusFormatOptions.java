package org.plant4j.cli.corpus;

import java.nio.file.Path;
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

/** How a corpus is to be read. */
public final class CorpusFormatOptions {

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "jsonl, csv, text, cantemist, codiesp, mimic3, mimic4 or demo.")
    private Optional<String> format = Optional.empty();

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description = "An option of the format, such as language=en; may be repeated.")
    private Map<String, String> options = Map.of();

    @Mixin
    private final BadRowsOption badRowsOption = new BadRowsOption();

    public Optional<String> format() {
        return format;
    }

    public BadRowHandler badRows() {
        return badRowsOption.open();
    }

    /** The whole corpus. */
    public Corpus openAll(String path, BadRowHandler badRows) {
        config(path, List.of()); // tells a wrong name or an empty path
        return CorpusFormats.openCorpus(format.orElse(""), Path.of(path), options, badRows);
    }

    /** A part of it, by the name the format gives it. */
    public Corpus openSplit(String path, String part, BadRowHandler badRows) {
        return CorpusFormats.openSplits(config(path, List.of(part)), badRows).train();
    }

    private CorpusConfig config(String path, List<String> part) {
        return new CorpusConfig(format.orElse(""), path, part, List.of(), List.of(), options);
    }
}
