package org.plant4j.cli.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.FineTuning;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.baseline.Laat;
import org.plant4j.report.ReportTable;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.train.Objective;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Times the training step and the prediction of LAAT on made-up documents; {@code bench/laat.py} times the same in PyTorch. */
@Command(
        name = "bench",
        subcommands = {BenchLmCommand.class, BenchPlantCommand.class, BenchModelCommand.class},
        description = "Time LAAT's training step and prediction on made-up documents of a given shape.",
        footer = {"", "The same step in PyTorch: python bench/laat.py with the same options."})
public final class BenchCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Option(names = "--documents", defaultValue = "8", description = "Documents a batch (default ${DEFAULT-VALUE}).")
    private int documents = 8;

    @Option(names = "--tokens", defaultValue = "500", description = "Tokens a document (default ${DEFAULT-VALUE}).")
    private int tokens = 500;

    @Option(names = "--labels", defaultValue = "1000", description = "Labels (default ${DEFAULT-VALUE}).")
    private int labels = 1000;

    @Option(names = "--words", defaultValue = "30000", description = "Vocabulary (default ${DEFAULT-VALUE}).")
    private int words = 30_000;

    @Option(names = "--embedding", defaultValue = "100", description = "Word vector size (default ${DEFAULT-VALUE}).")
    private int embedding = 100;

    @Option(names = "--hidden", defaultValue = "256", description = "LSTM units each way (default ${DEFAULT-VALUE}).")
    private int hidden = 256;

    @Option(names = "--projection", defaultValue = "256", description = "Attention size (default ${DEFAULT-VALUE}).")
    private int projection = 256;

    @Mixin
    private final BenchOptions bench = new BenchOptions();

    @Override
    public Integer call() {
        BenchOptions.atLeast(1, "--documents", documents);
        BenchOptions.atLeast(1, "--tokens", tokens);
        BenchOptions.atLeast(1, "--labels", labels);
        BenchOptions.atLeast(3, "--words", words); // two of them stand for padding and unknown words
        BenchOptions.atLeast(1, "--embedding", embedding);
        BenchOptions.atLeast(1, "--hidden", hidden);
        BenchOptions.atLeast(1, "--projection", projection);
        Compute compute = bench.open();
        Engine.setSeed(1);
        try (LabelNetwork<?> network =
                new Laat.Config(embedding, hidden, projection, 0.3, 0.03, -3).build(words, labels, compute)) {
            double[] training = training(network, compute);
            double[] prediction = StepTimer.predictionTimes(
                    network, SyntheticDocuments.of(documents, tokens, words, labels), bench.rounds(), bench.steps());
            double[] single = StepTimer.predictionTimes(
                    network, SyntheticDocuments.of(1, tokens, words, labels), bench.rounds(), bench.steps());
            report(compute, training, prediction, single);
        }
        return 0;
    }

    /** Milliseconds a step in each round but the first, through the real trainer. */
    private double[] training(LabelNetwork<?> network, Compute compute) {
        SyntheticDocuments made = SyntheticDocuments.of(documents * bench.steps(), tokens, words, labels);
        Objective<int[]> objective = new ClassificationObjective(
                network,
                new Batches(made, documents, documents * tokens, 1),
                FineTuning.uniform(1e-3, 0.01),
                StepTimer.NO_VALIDATION);
        return StepTimer.trainingTimes(objective, compute, bench.rounds(), bench.steps());
    }

    private void report(Compute compute, double[] training, double[] prediction, double[] single) {
        Map<String, double[]> rows = new LinkedHashMap<>();
        rows.put("training step", training);
        rows.put("prediction, " + documents + " documents", prediction);
        rows.put("prediction, 1 document", single);
        if (json.enabled()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("shape", shape(compute));
            rows.forEach(
                    (name, times) -> facts.put(name, Map.of("median_ms", StepTimer.median(times), "rounds_ms", times)));
            common.out().println(JsonOption.pretty(facts));
            return;
        }
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("LAAT"),
                ReportTable.Column.number("median ms", 2),
                ReportTable.Column.number("best ms", 2),
                ReportTable.Column.number("worst ms", 2),
                ReportTable.Column.number("tokens/s", 0));
        for (Map.Entry<String, double[]> row : rows.entrySet()) {
            double[] times = row.getValue().clone();
            Arrays.sort(times);
            int batch = row.getKey().endsWith(" 1 document") ? 1 : documents;
            double median = StepTimer.median(times);
            table = table.row(
                    row.getKey(), median, times[0], times[times.length - 1], 1000.0 * batch * tokens / median);
        }
        common.out().println(shape(compute));
        common.out().print(table.toText());
        common.out().flush();
    }

    private String shape(Compute compute) {
        return String.format(
                Locale.ROOT,
                "%d documents x %d tokens, %d labels, %d words, embedding %d, hidden 2 x %d, projection %d, %s, %s",
                documents,
                tokens,
                labels,
                words,
                embedding,
                hidden,
                projection,
                compute.cuda() ? "cuda" : "cpu",
                bench.precision().name().toLowerCase(Locale.ROOT));
    }
}
