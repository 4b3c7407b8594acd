package org.plant4j.spark.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code plant-spark prepare}: vocabulary, labels and token stores of a corpus. */
@Command(
        name = "prepare",
        description = {
            "Prepare the corpus of an experiment: vocabulary, labels and token stores.",
            "The files are those of 'plant run', byte for byte, which then reuses them."
        },
        footer = {
            "",
            "Examples:",
            "  plant-spark prepare plant@demo",
            "  plant-spark prepare my.yaml --runs /shared/runs --master spark://HOST:7077"
        })
final class PrepareCommand implements Callable<Integer> {

    @Mixin
    private final SparkOptions options = new SparkOptions();

    @Mixin
    private final ExperimentOptions experiment = new ExperimentOptions();

    @Override
    public Integer call() throws Exception {
        return options.run(
                "prepare",
                spark -> experiment.print(
                        "Prepared corpus: " + experiment.open(spark).prepare().directory()));
    }
}
