package org.plant4j.cli.results;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.results.AutoTable;
import org.plant4j.results.CorpusProfile;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant results corpus}: stores what the choice of the model {@code auto} depends on. */
@Command(
        name = "corpus",
        description = {
            "Store the sizes of packaged corpora on which the choice of the model auto depends.",
            "The page of results then compares its choice with all stored results of the corpus."
        },
        footer = {"", "Example:", "  plant results corpus demo codiesp-d"})
final class ResultsCorpusCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Parameters(arity = "1..*", paramLabel = "CORPUS", description = "Packaged corpora, such as demo.")
    private List<String> corpora = List.of();

    @Option(
            names = "--results",
            paramLabel = "DIR",
            defaultValue = "results",
            description = "Directory of the results (default: ${DEFAULT-VALUE}).")
    private Path results = Path.of("results");

    @Override
    public Integer call() {
        for (String corpus : corpora) {
            common.out().println(AutoTable.write(CorpusProfile.of(corpus), results.resolve("corpora")));
        }
        common.out().flush();
        return CommandLine.ExitCode.OK;
    }
}
