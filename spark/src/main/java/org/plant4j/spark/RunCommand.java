package org.plant4j.spark;

import java.util.concurrent.Callable;
import org.plant4j.pipeline.Pipeline;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code plant-spark run}: a whole experiment, with the work that divides by documents or labels on Spark. */
@Command(
        name = "run",
        description = {
            "Train and evaluate a model like 'plant run', with the same result.",
            "Preparation, mutual information and the labels of linear models run on the cluster,"
                    + " networks and evaluation in this process."
        },
        footer = {
            "",
            "Examples:",
            "  plant-spark run linear@demo",
            "  plant-spark run linear@codiesp-d --master spark://HOST:7077"
        })
final class RunCommand implements Callable<Integer> {

    @Mixin
    private final SparkOptions options = new SparkOptions();

    @Mixin
    private final ExperimentOptions experiment = new ExperimentOptions();

    @Override
    public Integer call() throws Exception {
        return options.run("run", spark -> {
            Pipeline pipeline = experiment.open(spark);
            pipeline.run();
            experiment.print("Report: " + pipeline.runDirectory().report());
        });
    }
}
