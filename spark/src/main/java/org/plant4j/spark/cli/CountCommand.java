package org.plant4j.spark.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.plant4j.rank.Relevance;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant-spark count}: mutual information of tokens and labels. */
@Command(
        name = "count",
        description = {
            "Count documents by token and label, and compute their mutual information.",
            "The file is that of 'plant run', byte for byte, which then reuses it. Prepares the corpus if necessary."
        },
        footer = {
            "",
            "Examples:",
            "  plant-spark count plant@demo",
            "  plant-spark count my.yaml --output relevance.bin --master spark://HOST:7077"
        })
final class CountCommand implements Callable<Integer> {

    @Mixin
    private final SparkOptions options = new SparkOptions();

    @Mixin
    private final ExperimentOptions experiment = new ExperimentOptions();

    @Option(names = "--output", paramLabel = "FILE", description = "Also write the result to this file.")
    private Optional<Path> output = Optional.empty();

    @Override
    public Integer call() throws Exception {
        return options.run("count", spark -> {
            Relevance relevance = experiment.open(spark).relevance();
            output.ifPresent(file -> {
                relevance.write(file);
                experiment.print("Mutual information: " + file);
            });
        });
    }
}
