package org.plant4j.spark.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.plant4j.Evaluation;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.Evaluator;
import org.plant4j.metric.LabelSet;
import org.plant4j.metric.ScoreFile;
import org.plant4j.pipeline.evaluation.EvaluationProtocol;
import org.plant4j.pretrained.PretrainedModels;
import org.plant4j.report.MetricTables;
import org.plant4j.spark.ScoringJob;
import org.plant4j.spark.ScoringJob.ScoredDocument;
import org.plant4j.text.LabelIndex;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plant-spark evaluate}: measures a run on documents with gold codes. */
@Command(
        name = "evaluate",
        description = {
            "Measure a run on documents with gold codes: every metric of 'plant evaluate'.",
            "Tasks score the documents; this process computes the metrics. Thresholds are those of the run."
        },
        footer = {"", "Example:", "  plant-spark evaluate runs/plant@demo test.jsonl -o metrics.json"})
final class EvaluateCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command;

    @Mixin
    private final SparkOptions options = new SparkOptions();

    @Parameters(
            index = "0",
            paramLabel = "RUN",
            description = "Run directory or pretrained model, which is copied to the executors.")
    private Path run;

    @Parameters(
            index = "1",
            paramLabel = "INPUT",
            description = "Documents with codes, as 'plant corpus export' writes them.")
    private String input;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "Format of the input: jsonl, csv or parquet (default: jsonl).")
    private DocumentFormat format = DocumentFormat.JSONL;

    @Option(names = "--device", paramLabel = "DEVICE", description = "auto, cpu or cuda (default: ${DEFAULT-VALUE}).")
    private String device = "auto";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Also write the metrics as JSON, like metrics-test.json of a run.")
    private Optional<Path> output = Optional.empty();

    @Override
    public Integer call() throws Exception {
        return options.run("evaluate", run.toString(), this::evaluate);
    }

    private void evaluate(SparkSession spark, String runName) throws IOException {
        RunDirectory directory = RunDirectory.open(
                PretrainedModels.locate(run).map(RunDirectory::path).orElse(run));
        Dataset<Row> documents = format.readCoded(spark, input);
        int size = Math.toIntExact(documents.count());
        if (size == 0) {
            throw new UserError("There are no documents", input, "check the path and the format");
        }
        LabelIndex labels = LabelIndex.read(directory.labels());
        Iterator<ScoredDocument> scored = new ScoringJob(runName, device).run(documents, size, labels.size());
        Evaluation evaluation = evaluation(directory, labels, scored, size);
        PrintWriter out = command.commandLine().getOut();
        out.print(MetricTables.bySplit(List.copyOf(evaluation.metrics().keySet()), Map.of("value", evaluation))
                .toText(false));
        out.println("On " + evaluation.documents() + " documents.");
        out.flush();
        output.ifPresent(evaluation::write);
    }

    /** The scores go to a temporary file, since they need not fit into memory. */
    private static Evaluation evaluation(
            RunDirectory directory, LabelIndex labels, Iterator<ScoredDocument> documents, int size)
            throws IOException {
        List<List<String>> codes = new ArrayList<>();
        Path file = Files.createTempDirectory("scores").resolve("scores.tmp");
        try (ScoreFile scores = new ScoreFile(file, size, labels.size())) {
            while (documents.hasNext()) {
                ScoredDocument document = documents.next();
                scores.append(document.scores());
                codes.add(document.codes().stream()
                        .map(String::strip)
                        .filter(code -> !code.isEmpty())
                        .toList());
            }
            return evaluator(directory, labels).evaluate(scores, gold(labels, codes), directory.readThresholds());
        } finally {
            Files.deleteIfExists(file.resolveSibling(""));
        }
    }

    private static Evaluator evaluator(RunDirectory directory, LabelIndex labels) {
        Experiment experiment = ExperimentFile.read(directory.experiment(), List.of());
        return EvaluationProtocol.evaluator(
                experiment, directory.readManifest().trainedDocuments(), labels.frequencies());
    }

    /** Codes that the run does not know get ids of their own, so that they count in recall. */
    private static LabelSet[] gold(LabelIndex labels, List<List<String>> codes) {
        Set<String> all = new TreeSet<>();
        codes.forEach(all::addAll);
        LabelIndex extended = labels.extendedWith(all);
        return codes.stream()
                .map(each -> LabelSet.of(extended.ids(each).toArray()))
                .toArray(LabelSet[]::new);
    }
}
