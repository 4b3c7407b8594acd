package org.plant4j.pipeline.evaluation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.plant4j.Evaluation;
import org.plant4j.FrequencyBucket;
import org.plant4j.calibration.Calibration;
import org.plant4j.calibration.FrequencyCalibration;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.Predictions;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.PreparedCorpus;

/** Measures the calibration of a run by label frequency, from its stored predictions. */
public final class CalibrationByFrequency {

    private final RunDirectory directory;

    public CalibrationByFrequency(RunDirectory directory) {
        this.directory = directory;
    }

    /** The rows of each evaluated split; empty if the run is not calibrated. */
    public Map<String, List<FrequencyCalibration>> measure() {
        Map<String, List<FrequencyCalibration>> splits = new LinkedHashMap<>();
        if (!directory.has(directory.calibration())
                || !directory.readCalibration().fitted()) {
            return splits;
        }
        Calibration calibration = directory.readCalibration();
        LabelIndex labels = LabelIndex.read(directory.labels());
        ToIntFunction<String> frequency = code ->
                labels.id(code).stream().map(labels::frequency).findFirst().orElse(0);
        splits.put(
                PreparedCorpus.DEV,
                FrequencyCalibration.heldOut(
                        calibration, predictions(PreparedCorpus.DEV), buckets(PreparedCorpus.DEV), frequency));
        if (directory.has(directory.predictions(PreparedCorpus.TEST))) {
            splits.put(
                    PreparedCorpus.TEST,
                    FrequencyCalibration.of(
                            calibration, predictions(PreparedCorpus.TEST), buckets(PreparedCorpus.TEST), frequency));
        }
        return splits;
    }

    private Predictions predictions(String split) {
        return Predictions.read(directory.predictions(split));
    }

    private List<FrequencyBucket> buckets(String split) {
        return Evaluation.read(directory.metrics(split)).buckets();
    }

    public static ReportTable table(List<FrequencyCalibration> rows) {
        ReportTable table = ReportTable.of(
                Column.text("training documents"),
                Column.number("pairs", 0),
                Column.percent("correct"),
                Column.percent("mean probability"),
                Column.percent("ECE of scores"),
                Column.percent("ECE calibrated"));
        for (FrequencyCalibration row : rows) {
            table = table.row(
                    row.bucket(),
                    row.pairs(),
                    row.correct(),
                    row.probability(),
                    row.scoreError(),
                    row.calibratedError());
        }
        return table;
    }
}
