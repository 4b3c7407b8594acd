package org.plant4j.spark.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plant-spark code}: codes many documents. */
@Command(
        name = "code",
        description = "Code documents with the model of a run, with evidence.",
        footer = {
            "",
            "Examples:",
            "  plant-spark code runs/plant@demo notes.jsonl coded",
            "  plant-spark code runs/plant@demo hdfs:///notes hdfs:///coded --format parquet --to parquet --master yarn"
        })
final class CodeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command;

    @Mixin
    private final SparkOptions options = new SparkOptions();

    @Mixin
    private final CoderOptions coder = new CoderOptions();

    @Parameters(index = "1", paramLabel = "INPUT", description = "File or directory of documents.")
    private String input;

    @Parameters(index = "2", paramLabel = "OUTPUT", description = "Directory of coded documents.")
    private String output;

    @Option(
            names = "--partition-bytes",
            paramLabel = "N",
            description = "Bytes of input per task (default: ${DEFAULT-VALUE}).")
    private long partitionBytes = Partitions.DEFAULT_BYTES;

    @Option(names = "--overwrite", description = "Replace an existing output.")
    private boolean overwrite;

    @Override
    public Integer call() throws Exception {
        return options.run("code", coder.run(), this::code);
    }

    private void code(SparkSession spark, String run) throws InterruptedException {
        long start = System.nanoTime();
        Partitions partitions = new Partitions(spark, partitionBytes);
        Dataset<Row> documents = partitions.resize(coder.format().read(spark, input));
        Observation count = new Observation();
        Dataset<Row> coded = coder.coder(run)
                .transform(documents)
                .observe(count, functions.count(functions.lit(1)).as("documents"));
        CodedFormat format = coder.outputFormat();
        format.columns(coded)
                .write()
                .mode(overwrite ? SaveMode.Overwrite : SaveMode.ErrorIfExists)
                .format(format.source())
                .options(format.options())
                .save(output);
        PrintWriter out = command.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "Coded %s documents in %d partitions in %.1f s: %s%n",
                count.getAsJava().get("documents"),
                documents.rdd().getNumPartitions(),
                (System.nanoTime() - start) / 1e9,
                output);
        out.flush();
    }
}
