package org.plant4j.cli.corpus;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.UserError;
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
            description = "Corpus format: ${COMPLETION-CANDIDATES}. By default it follows from the name of the file.")
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

    /** The format as given. */
    public Optional<String> format() {
        return format;
    }

    /** The format as given, or else as the name of an existing file tells. */
    Optional<String> format(Optional<String> source) {
        return format.or(() -> source.filter(path -> !path.matches(".*\\.ya?ml") && Files.exists(Path.of(path)))
                .map(path -> CorpusFormats.infer(path, List.of())));
    }

    public BadRowHandler badRows() {
        return badRowsOption.open();
    }

    /** Opens the whole corpus. */
    public Corpus openAll(String path, BadRowHandler badRows) {
        return CorpusFormats.openCorpus(config(path, List.of()), badRows);
    }

    /** Opens one split, by its name in the format. */
    public Corpus openSplit(String path, String split, BadRowHandler badRows) {
        return CorpusFormats.openSplits(config(path, List.of(split)), badRows).train();
    }

    private CorpusConfig config(String path, List<String> train) {
        if (options.containsKey("labels")) {
            throw new UserError(
                    "Labels are chosen by their training documents, which this command does not know",
                    "--option labels",
                    "set options.labels in a corpus file and name that file instead of a format");
        }
        String name = format(Optional.of(path).filter(text -> !text.isEmpty())).orElse("");
        return new CorpusConfig(name, path, train, List.of(), List.of(), options);
    }
}
