package org.plant4j.spark.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code plant-spark stream}: codes documents that arrive in a directory, each of them once. Spark records the files that it
 * has read in the checkpoint, and the files that belong to the output in {@code OUTPUT/_spark_metadata}, so that a job that
 * was killed continues without losing or repeating a document.
 */
@Command(
        name = "stream",
        description = {
            "Code documents that arrive in a directory, each of them once, until it is stopped.",
            "Move complete files into the directory; files that change later are not read again."
        },
        footer = {"", "Example:", "  plant-spark stream runs/plant@demo incoming coded --interval '5 seconds'"})
final class StreamCommand implements Callable<Integer> {

    @Mixin
    private final SparkOptions options = new SparkOptions();

    @Mixin
    private final CoderOptions coder = new CoderOptions();

    @Parameters(index = "1", paramLabel = "INPUT", description = "Directory in which files of documents arrive.")
    private String input;

    @Parameters(index = "2", paramLabel = "OUTPUT", description = "Directory of coded documents.")
    private String output;

    @Option(
            names = "--checkpoint",
            paramLabel = "DIRECTORY",
            description = "Records which files have been coded (default: OUTPUT/_checkpoint).")
    private Optional<String> checkpoint = Optional.empty();

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            description = "Time between looks into the directory (default: ${DEFAULT-VALUE}).")
    private String interval = "10 seconds";

    @Option(
            names = "--max-files",
            paramLabel = "N",
            description = "Files per micro-batch, whose output appears at once (default: ${DEFAULT-VALUE}).")
    private int maxFiles = 1000;

    @Option(names = "--once", description = "Stop when all files in the directory have been coded.")
    private boolean once;

    @Override
    public Integer call() throws Exception {
        return options.run("stream", coder.run(), this::stream);
    }

    private void stream(SparkSession spark, String run) throws Exception {
        Dataset<Row> documents = coder.format().readStream(spark, input, maxFiles);
        CodedFormat format = coder.outputFormat();
        StreamingQuery query = format.columns(coder.coder(run).transform(documents))
                .writeStream()
                .format(format.source())
                .options(format.options())
                .option("checkpointLocation", checkpoint.orElse(output + "/_checkpoint"))
                .trigger(once ? Trigger.AvailableNow() : Trigger.ProcessingTime(interval))
                .start(output);
        query.awaitTermination();
    }
}
