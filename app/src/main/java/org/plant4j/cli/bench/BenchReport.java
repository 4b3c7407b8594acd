package org.plant4j.cli.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.plant4j.Coder;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.metric.TopK;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.report.ReportTable;
import org.plant4j.support.Hardware;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.train.Objective;

/** Measures training and prediction for one shape: time per step and peak memory. */
final class BenchReport {

    private static final double MIB = 1 << 20;

    private final BenchShape shape;
    private final BenchOptions bench;
    private final Compute compute;
    private final long gpuBefore;
    private final List<Measurement> measurements = new ArrayList<>();

    /** Times of one operation, and peak memory up to its end in MiB. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Measurement(String name, int documents, double[] milliseconds, double gpu, double resident) {

        double median() {
            return StepTimer.median(milliseconds);
        }
    }

    /** Counts GPU memory from now on. */
    BenchReport(BenchShape shape, BenchOptions bench, Compute compute) {
        this.shape = shape;
        this.bench = bench;
        this.compute = compute;
        if (compute.cuda()) {
            Engine.describe(); // starts CUDA, whose own memory is not counted
        }
        gpuBefore = compute.cuda() ? Hardware.gpuInUse().orElse(0) : 0;
    }

    /** The objective must have as many batches per epoch as {@link BenchShape#batches} returns. */
    void train(Objective<?> objective) {
        double[] times = StepTimer.trainingTimes(objective, compute, bench.rounds(), bench.steps());
        add("training step", shape.documents(), times);
    }

    /** Measures the scores of a batch and of a single document, and an explained prediction of a single document. */
    void predict(LabelNetwork<?> network) {
        if (shape.documents() > 1) {
            predict(network, shape.documents());
        }
        predict(network, 1);
        explain(network);
    }

    private void predict(LabelNetwork<?> network, int documents) {
        List<int[]> texts = shape.syntheticDocuments(documents).texts();
        predict(
                "prediction, " + documents + (documents == 1 ? " document" : " documents"),
                documents,
                () -> network.score(texts));
    }

    /** Scores and evidence for the best labels of one document, encoded once and, for comparison, twice. */
    private void explain(LabelNetwork<?> network) {
        List<int[]> texts = shape.syntheticDocuments(1).texts();
        predict(
                "explained prediction, 1 document",
                1,
                () -> network.predict(texts, PredictionRequest.evidenceFor(BenchReport::best)));
        predict("the same, encoded twice", 1, () -> network.evidence(texts.get(0), best(network.score(texts)[0])));
    }

    private static int[] best(float[] scores) {
        return TopK.indices(scores, Coder.DEFAULT_CODES);
    }

    private void predict(String name, int documents, Runnable prediction) {
        add(name, documents, StepTimer.predictionTimes(prediction, bench.rounds(), bench.steps()));
    }

    private void add(String name, int documents, double[] times) {
        measurements.add(new Measurement(
                name,
                documents,
                times,
                compute.cuda() ? mebibytes(Hardware.gpuInUse(), gpuBefore) : Double.NaN,
                mebibytes(Hardware.peakResident(), 0)));
    }

    private static double mebibytes(OptionalLong bytes, long before) {
        return bytes.isPresent() ? (bytes.getAsLong() - before) / MIB : Double.NaN;
    }

    /** Prints a line with the measured shape and a table with the measurements. */
    void print(String title, String facts, CommonOptions common, JsonOption json) {
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(toMap(facts)));
        } else {
            common.out().println(facts);
            common.out().print(table(title).toText());
        }
        common.out().flush();
    }

    private Map<String, Object> toMap(String facts) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("shape", facts);
        for (Measurement row : measurements) {
            Map<String, Object> figure = new LinkedHashMap<>();
            figure.put("median_ms", row.median());
            figure.put("rounds_ms", row.milliseconds());
            figure.put("gpu_mib", row.gpu());
            figure.put("resident_mib", row.resident());
            all.put(row.name(), figure);
        }
        return all;
    }

    private ReportTable table(String title) {
        ReportTable table = ReportTable.of(
                ReportTable.Column.text(title),
                ReportTable.Column.number("median ms", 2),
                ReportTable.Column.number("best ms", 2),
                ReportTable.Column.number("worst ms", 2),
                ReportTable.Column.number("tokens/s", 0),
                ReportTable.Column.number("GPU MiB", 0),
                ReportTable.Column.number("resident MiB", 0));
        for (Measurement row : measurements) {
            table = table.row(
                    row.name(),
                    row.median(),
                    Arrays.stream(row.milliseconds()).min().orElseThrow(),
                    Arrays.stream(row.milliseconds()).max().orElseThrow(),
                    1000.0 * row.documents() * shape.tokens() / row.median(),
                    row.gpu(),
                    row.resident());
        }
        return table;
    }
}
