package org.plant4j.spark.cli;

import java.util.concurrent.Callable;
import org.apache.spark.sql.SparkSession;
import org.plant4j.UserError;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.spark.engine.BarrierTraining;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant-spark run}: a whole experiment, with the work that divides by documents or labels on Spark. */
@Command(
        name = "run",
        description = {
            "Train and evaluate a model like 'plant run', with the same result.",
            "Preparation, mutual information and the labels of linear models run on the cluster,"
                    + " networks and evaluation in this process, or with --processes in several executors."
        },
        footer = {
            "",
            "Examples:",
            "  plant-spark run linear@demo",
            "  plant-spark run linear@codiesp-d --master spark://HOST:7077",
            "  plant-spark run plant@codiesp-d --processes 2 --runs /shared/runs --master spark://HOST:7077"
        })
final class RunCommand implements Callable<Integer> {

    @Mixin
    private final SparkOptions options = new SparkOptions();

    @Mixin
    private final ExperimentOptions experiment = new ExperimentOptions();

    @Option(
            names = "--processes",
            paramLabel = "N",
            description = "Train with N executors together, which must share the directory of runs"
                    + " (default: ${DEFAULT-VALUE}, in this process).")
    private int processes = 1;

    @Override
    public Integer call() throws Exception {
        if (processes < 1) {
            throw new UserError("There must be at least 1 process", "--processes " + processes, "give 1 or more");
        }
        return processes == 1
                ? options.run("run", this::train)
                : options.runTogether("run", processes, this::trainTogether);
    }

    private void train(SparkSession spark) {
        Pipeline pipeline = experiment.open(spark);
        pipeline.run();
        report(pipeline);
    }

    private void trainTogether(SparkSession spark) {
        BarrierTraining training = experiment.training();
        Pipeline pipeline = experiment.open(spark);
        pipeline.prepareInputs(); // on the cluster; the processes find the files in the cache
        training.run(spark, processes);
        report(pipeline);
    }

    private void report(Pipeline pipeline) {
        experiment.print("Report: " + pipeline.runDirectory().report());
    }
}
