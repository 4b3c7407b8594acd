package org.plant4j.spark.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.plant4j.Coder;
import org.plant4j.Device;
import org.plant4j.UserError;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pretrained.PretrainedModels;
import org.plant4j.spark.SuggestionRows;
import org.plant4j.tensor.Engine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plant-spark verify}: checks what a cluster has coded. */
@Command(
        name = "verify",
        description = {
            "Code the same documents on this machine, one by one and without Spark, and compare.",
            "Every document must have been coded once, with the same codes, scores and evidence, bit for bit."
        })
final class VerifyCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command;

    @Mixin
    private final SparkOptions options = new SparkOptions();

    @Mixin
    private final CoderOptions coderOptions = new CoderOptions();

    @Parameters(index = "1", paramLabel = "INPUT", description = "File or directory of documents.")
    private String input;

    @Parameters(index = "2", paramLabel = "OUTPUT", description = "Coded documents, as Parquet or JSON lines.")
    private String output;

    @Override
    public Integer call() throws Exception {
        return options.run("verify", this::verify);
    }

    private void verify(SparkSession spark) {
        if (coderOptions.outputFormat() == CodedFormat.CSV || coderOptions.outputFormat() == CodedFormat.TEXT) {
            throw new UserError("CSV and text do not contain every field", "--to", "use parquet or jsonl");
        }
        Dataset<Row> documents = coderOptions.format().read(spark, input);
        Dataset<Row> coded = spark.read()
                .schema(documents.select("id").schema().add("suggestions", SuggestionRows.TYPE, true))
                .format(coderOptions.outputFormat().source())
                .load(output);
        long expected = documents.count();
        check(
                coded.count() == expected,
                "There are " + coded.count() + " coded documents, but " + expected + " inputs");
        Engine.setThreads(1);
        long compared = 0;
        long nanos = 0;
        Path named = Path.of(coderOptions.run());
        Path run = PretrainedModels.locate(named).map(RunDirectory::path).orElse(named);
        try (Coder coder =
                Coder.builder(run).device(Device.of(coderOptions.device())).load()) {
            Iterator<Row> pairs = documents.join(coded, "id").toLocalIterator();
            while (pairs.hasNext()) {
                Row pair = pairs.next();
                long start = System.nanoTime();
                Row[] alone = SuggestionRows.of(coder.code(pair.getString(1), coderOptions.top()));
                nanos += System.nanoTime() - start;
                check(
                        Objects.equals(SuggestionRows.plain(alone), SuggestionRows.plain(pair.get(2))),
                        "Document " + pair.getString(0) + " is coded differently");
                compared++;
            }
        }
        check(compared == expected, "Only " + compared + " of " + expected + " documents are coded exactly once");
        PrintWriter out = command.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%d documents, each coded once, bit for bit as without Spark, which took %.1f s%n",
                compared,
                nanos / 1e9);
        out.flush();
    }

    private void check(boolean holds, String what) {
        if (!holds) {
            throw new UserError(what, output, "code the documents again");
        }
    }
}
