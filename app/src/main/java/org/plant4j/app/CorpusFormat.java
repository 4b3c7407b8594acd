package org.plant4j.app;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.corpus.BadRows;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.CorpusConfig;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a corpus is to be read. */
final class CorpusFormat {

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

    Optional<String> format() {
        return format;
    }

    BadRows badRows() {
        return badRowsOption.open();
    }

    /** The whole corpus. */
    Corpus whole(String path, BadRows badRows) {
        config(path, List.of()); // tells a wrong name or an empty path
        return Corpora.part(format.orElse(""), Path.of(path), options, badRows);
    }

    /** A part of it, by the name the format gives it. */
    Corpus part(String path, String part, BadRows badRows) {
        return Corpora.open(config(path, List.of(part)), badRows).train();
    }

    private CorpusConfig config(String path, List<String> part) {
        return new CorpusConfig(format.orElse(""), path, part, List.of(), List.of(), options);
    }
}
