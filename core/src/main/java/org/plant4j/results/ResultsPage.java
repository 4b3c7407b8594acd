package org.plant4j.results;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.plant4j.MetricNames;
import org.plant4j.experiment.RunManifest;
import org.plant4j.results.ExperimentResult.Measurement;
import org.plant4j.statistics.ApproximateRandomization;
import org.plant4j.statistics.Ratio;

/** A Markdown page with one table per corpus, best model first. */
public final class ResultsPage {

    private static final Map<String, String> COLUMNS = columns();

    /** The model that the others of a corpus are tested against. */
    private static final String CONTROL = "control";

    private ResultsPage() {}

    private static Map<String, String> columns() {
        Map<String, String> columns = new LinkedHashMap<>();
        for (String metric :
                List.of(MetricNames.MAP, MetricNames.MICRO_F1, MetricNames.MACRO_F1, "P@5", "P@8", "P@15")) {
            columns.put(metric, metric);
        }
        columns.put(ExperimentResult.RARE_MICRO_F1, "rare");
        columns.put(ExperimentResult.UNSEEN_MICRO_F1, "unseen");
        return columns;
    }

    /** The page for a directory of results, with the measurements in its subdirectories. */
    public static String markdown(Path directory) {
        List<ExperimentResult> results = new ResultFiles(directory).readAll();
        StringBuilder page = new StringBuilder(markdown(results));
        Path corpora = directory.resolve("corpora");
        if (Files.isDirectory(corpora)) {
            AutoTable auto = new AutoTable(AutoTable.read(corpora), results);
            page.append("""

                    ## The choice of auto

                    The model that [`auto`](own-data.md#the-model-auto) chooses from the sizes in `results/corpora/`, written by
                    `plant results corpus CORPUS`, and the best stored result that the same machine can train: without a GPU, models
                    over a pretrained encoder do not count. *Regret* is the difference in MAP; that of a small time budget includes what
                    the budget costs. Labels and documents are those of train.

                    """).append(auto.choices()).append("""

                    Mean regret over these corpora on two cores, 120 min, of `auto` and of every model that was measured on all of them:

                    """).append(auto.singleModels());
        }
        Path domain = directory.resolve("domain");
        if (Files.isDirectory(domain)) {
            page.append("""

                    ## Out-of-domain detection

                    From `results/domain/`, written by `plant domain RUN --foreign … -o FILE`. *False alarms* is the share of dev
                    documents that the guard takes for foreign. The other columns are AUROCs between dev documents and foreign
                    texts, by the guard and, after the slash, by the model's highest score. All in percent.

                    """).append(MeasurementTables.domain(domain));
        }
        Path calibration = directory.resolve("calibration");
        if (Files.isDirectory(calibration)) {
            page.append("""

                    ## Calibration

                    From `results/calibration/`, the field `calibration` of `plant evaluate RUN --json`: expected calibration error
                    of the top labels of each dev document in percent, after calibration (held out) and, in parentheses, of the
                    scores; of all labels and by number of training documents of the label.

                    """).append(MeasurementTables.calibration(calibration));
        }
        Path evidence = directory.resolve("evidence");
        if (Files.isDirectory(evidence)) {
            page.append("""

                    ## Evidence

                    From `results/evidence/`, written by `plant evidence RUN --output FILE`: token weights against gold evidence
                    (area under the precision-recall curve; F1 and intersection over union of the extracted spans, in percent) and
                    against the model's own scores. Higher is better, except for sufficiency.

                    """).append(MeasurementTables.evidence(evidence));
        }
        Path context = directory.resolve("context");
        if (Files.isDirectory(context)) {
            page.append("""

                    ## Context

                    From `results/context/`, written by `plant context RUN -o FILE`: codes of dev whose probability is in
                    the band `suggest`, and how many of them move to `review` because their evidence is negated or about relatives.
                    *Without profile*: right / wrong codes that would move if such mentions never supported a code.

                    """)
                    .append(MeasurementTables.context(context))
                    .append("""

                    Mentions of conditions in dev of the demo corpus, by the context that its generator knows, and the traits they get:

                    """)
                    .append(MeasurementTables.traits(context));
        }
        return page.toString();
    }

    static String markdown(List<ExperimentResult> results) {
        Map<String, List<ExperimentResult>> byTable = new TreeMap<>();
        for (ExperimentResult result : results) {
            byTable.computeIfAbsent(title(result), table -> new ArrayList<>()).add(result);
        }
        List<String> sources = new ArrayList<>();
        StringBuilder page = new StringBuilder("""
                # Results

                Generated by `plant results report` from the files in [`results/`](../results); do not edit. Metrics are in
                percent, with the standard deviation over seeds; *rare* is the micro-F1 of labels with one to five training
                documents, *unseen* that of labels without one; *p* is that of the difference in MAP from `control`, by a
                randomization test over documents whose average precision is the mean over seeds. *min* is how long training
                took, without pretraining, which runs share: on a GPU from start to end, with whatever else ran on it, on a
                CPU the CPU time of all cores. *GiB* is the peak memory, that of the GPU if there was one. Cells are empty
                where a figure was not stored. On dev, which also selected epochs and thresholds, figures are slightly
                optimistic. Reproduce a row with `plant run MODEL@CORPUS --seeds …` at the commit of its source, since settings may
                have changed after it, and store it with `plant results add runs/…`.
                """);
        byTable.forEach((title, rows) -> appendTable(page, title, rows, sources));
        page.append("\n## Sources\n\n");
        for (int i = 0; i < sources.size(); i++) {
            page.append(i + 1).append(". ").append(sources.get(i)).append('\n');
        }
        return page.toString();
    }

    /** Corpus and split; experiments without a corpus name come from YAML files. */
    private static String title(ExperimentResult result) {
        return (result.corpus().isEmpty() ? "other experiments" : result.corpus()) + ", " + result.split();
    }

    private static void appendTable(
            StringBuilder page, String title, List<ExperimentResult> rows, List<String> sources) {
        LongSummaryStatistics documents =
                rows.stream().mapToLong(ExperimentResult::documents).summaryStatistics();
        page.append("\n## ").append(title).append("\n\n");
        page.append(documents.getMin() < documents.getMax() ? documents.getMin() + " to " : "");
        page.append(documents.getMax()).append(" documents.\n\n| model | seeds |");
        COLUMNS.values().forEach(column -> page.append(' ').append(column).append(" |"));
        page.append(" p | min | GiB | source |\n|---|--:|")
                .append("--:|".repeat(COLUMNS.size() + 4))
                .append('\n');
        Optional<ExperimentResult> control =
                rows.stream().filter(row -> row.model().equals(CONTROL)).findFirst();
        rows.stream()
                .sorted(Comparator.comparingDouble(ResultsPage::map)
                        .reversed()
                        .thenComparing(ExperimentResult::experiment))
                .forEach(row -> appendRow(page, row, control.flatMap(other -> pValue(other, row)), sources));
    }

    private static double map(ExperimentResult result) {
        return Optional.ofNullable(result.metrics().get(MetricNames.MAP))
                .map(Measurement::mean)
                .orElse(0.0);
    }

    /** The p-value of the difference in MAP; empty if the results cannot be compared document by document. */
    private static Optional<Double> pValue(ExperimentResult control, ExperimentResult row) {
        int documents = row.averagePrecision().size();
        if (row.model().equals(CONTROL)
                || documents == 0
                || documents != control.averagePrecision().size()) {
            return Optional.empty();
        }
        return Optional.of(ApproximateRandomization.standard(1)
                .pValue(mean(control.averagePrecision()), mean(row.averagePrecision())));
    }

    private static Ratio mean(List<Double> values) {
        double[] ones = new double[values.size()];
        Arrays.fill(ones, 1);
        return new Ratio(
                MetricNames.MAP,
                values.stream().mapToDouble(Double::doubleValue).toArray(),
                ones);
    }

    private static void appendRow(
            StringBuilder page, ExperimentResult row, Optional<Double> pValue, List<String> sources) {
        page.append("| `")
                .append(row.model())
                .append("` | ")
                .append(row.seeds().size())
                .append(" |");
        for (String metric : COLUMNS.keySet()) {
            page.append(' ')
                    .append(Optional.ofNullable(row.metrics().get(metric))
                            .map(ResultsPage::percent)
                            .orElse(""))
                    .append(" |");
        }
        page.append(' ')
                .append(pValue.map(p -> String.format(Locale.ROOT, "%.4f", p)).orElse(""))
                .append(" |");
        page.append(' ').append(row.cost().map(ResultsPage::minutes).orElse("")).append(" |");
        page.append(' ')
                .append(row.cost().map(ResultsPage::gibibytes).orElse(""))
                .append(" |");
        String source = source(row);
        if (!sources.contains(source)) {
            sources.add(source);
        }
        page.append(' ').append(sources.indexOf(source) + 1).append(" |\n");
    }

    private static String minutes(ExperimentResult.Cost cost) {
        double minutes = cost.seconds().mean() / 60;
        return String.format(Locale.ROOT, minutes < 1 ? "%.2f" : "%.1f", minutes);
    }

    private static String gibibytes(ExperimentResult.Cost cost) {
        return Optional.ofNullable(cost.mebibytes().get(RunManifest.GPU))
                .or(() -> Optional.ofNullable(cost.mebibytes().get(RunManifest.RESIDENT)))
                .map(mebibytes -> String.format(Locale.ROOT, "%.1f", mebibytes.mean() / 1024))
                .orElse("");
    }

    private static String source(ExperimentResult row) {
        ExperimentResult.Provenance provenance = row.provenance();
        return provenance.source()
                + provenance.commit().map(commit -> ", commit `" + commit + "`").orElse(", commit unknown")
                + row.cost().map(cost -> ", " + cost.device()).orElse("");
    }

    private static String percent(Measurement measurement) {
        String mean = String.format(Locale.ROOT, "%.1f", 100 * measurement.mean());
        return mean
                + measurement
                        .deviation()
                        .map(deviation -> String.format(Locale.ROOT, " ± %.1f", 100 * deviation))
                        .orElse("");
    }
}
