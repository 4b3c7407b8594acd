package org.plant4j.cli.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.plant4j.Thresholds;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.metric.Evaluator;
import org.plant4j.metric.LabelSet;
import org.plant4j.metric.Predictions;
import org.plant4j.metric.ScoreFile;
import org.plant4j.metric.ThresholdTuner;
import org.plant4j.report.ReportTable;
import org.plant4j.support.FileTree;
import org.plant4j.support.Hardware;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant bench evaluation}: measures the evaluation of random scores that are kept in a file. */
@Command(
        name = "evaluation",
        description = "Measure the evaluation of many documents and labels.",
        footer = {"", "Example:", "  plant bench evaluation --documents 100000 --labels 25000 --scored 1000"})
final class BenchEvaluationCommand implements Callable<Integer> {

    private static final int GOLD_LABELS = 5;
    private static final int TOP_LABELS = 100;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Option(
            names = "--documents",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Number of documents (default: ${DEFAULT-VALUE}).")
    private int documents = 10_000;

    @Option(
            names = "--labels",
            paramLabel = "N",
            defaultValue = "25000",
            description = "Number of labels (default: ${DEFAULT-VALUE}).")
    private int labels = 25_000;

    @Option(
            names = "--scored",
            paramLabel = "N",
            defaultValue = "0",
            description = "Labels per document with a score above 0; 0: all (default: ${DEFAULT-VALUE}).")
    private int scored;

    private ReportTable table =
            ReportTable.of(ReportTable.Column.text("step"), ReportTable.Column.number("seconds", 1));

    @Override
    public Integer call() {
        OptionCheck.atLeast(1, "--documents", documents);
        OptionCheck.atLeast(1, "--labels", labels);
        OptionCheck.atLeast(0, "--scored", scored);
        LabelSet[] gold = IntStream.range(0, documents)
                .mapToObj(d ->
                        LabelSet.of(new Random(d).ints(GOLD_LABELS, 0, labels).toArray()))
                .toArray(LabelSet[]::new);
        try (ScoreFile scores = new ScoreFile(temporaryFile(), documents, labels)) {
            measure("write scores", () -> IntStream.range(0, documents).forEach(d -> scores.append(row(d, gold[d]))));
            measure("tune the threshold", () -> ThresholdTuner.tune(scores, gold));
            int[] frequencies = new int[labels];
            Arrays.setAll(frequencies, label -> 1 + label % 1000);
            Thresholds thresholds = Thresholds.global(0.9f);
            measure(
                    "metrics",
                    () -> new Evaluator(Evaluator.Options.standard(1), documents, frequencies)
                            .evaluate(scores, gold, thresholds));
            List<String> ids =
                    IntStream.range(0, documents).mapToObj(String::valueOf).toList();
            Path predictions = temporaryFile();
            try {
                measure(
                        "write predictions",
                        () -> Predictions.write(
                                predictions, ids, String::valueOf, scores, gold, thresholds, TOP_LABELS));
            } finally {
                FileTree.delete(predictions);
            }
            print(scores.size());
        }
        return CommandLine.ExitCode.OK;
    }

    /** Random scores; those of gold labels are higher. */
    private float[] row(int document, LabelSet gold) {
        Random random = new Random(document);
        float[] row = new float[labels];
        for (int i = 0; i < (scored == 0 ? labels : scored); i++) {
            row[scored == 0 ? i : random.nextInt(labels)] = random.nextFloat();
        }
        gold.stream().forEach(label -> row[label] = (1 + random.nextFloat()) / 2);
        return row;
    }

    private void measure(String step, Runnable action) {
        long start = System.nanoTime();
        action.run();
        table = table.row(step, (System.nanoTime() - start) / 1e9);
    }

    private void print(long fileSize) {
        common.out()
                .println(String.format(
                        Locale.ROOT,
                        "%,d documents, %,d labels: scores %,d MiB in memory, %,d MiB as a file; heap limit %,d MiB, peak of the process %,d MiB",
                        documents,
                        labels,
                        ((long) documents * labels * Float.BYTES) >> 20,
                        fileSize >> 20,
                        Runtime.getRuntime().maxMemory() >> 20,
                        Hardware.peakResident().orElse(0) >> 20));
        common.out().print(table.toText());
        common.out().flush();
    }

    private static Path temporaryFile() {
        try {
            Path file = Files.createTempFile("plant-bench", ".scores");
            Files.delete(file); // the name only
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
