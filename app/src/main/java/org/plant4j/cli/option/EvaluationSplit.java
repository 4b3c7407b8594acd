package org.plant4j.cli.option;

import java.util.List;
import org.plant4j.UserError;
import org.plant4j.text.PreparedCorpus;
import picocli.CommandLine.Option;

/** {@code --split}, for commands that measure a run on dev or test. */
public final class EvaluationSplit {

    private static final List<String> NAMES = List.of(PreparedCorpus.DEV, PreparedCorpus.TEST);

    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            defaultValue = PreparedCorpus.DEV,
            description = "dev or test (default: ${DEFAULT-VALUE}).")
    private String name = PreparedCorpus.DEV;

    /** The name of the split, checked. */
    public String name() {
        if (!NAMES.contains(name)) {
            throw new UserError("Unknown split '" + name + "'", "--split", "use dev or test");
        }
        return name;
    }
}
