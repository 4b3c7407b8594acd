package org.plant4j.cli.bench;

import java.util.Locale;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.baseline.Laat;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant bench laat}: measures LAAT; {@code bench/laat.py} measures the same network in PyTorch. */
@Command(
        name = "laat",
        description = "Measure LAAT on synthetic documents.",
        footer = {"", "bench/laat.py measures the same network in PyTorch, with the same options."})
final class BenchLaatCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            defaultValue = "8",
            description = "Documents per batch (default: ${DEFAULT-VALUE}).")
    private int batchSize = 8;

    @Option(
            names = "--tokens",
            paramLabel = "N",
            defaultValue = "500",
            description = "Tokens per document (default: ${DEFAULT-VALUE}).")
    private int tokens = 500;

    @Option(
            names = "--labels",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Number of labels (default: ${DEFAULT-VALUE}).")
    private int labels = 1000;

    @Option(
            names = "--vocabulary",
            paramLabel = "N",
            defaultValue = "30000",
            description = "Vocabulary size (default: ${DEFAULT-VALUE}).")
    private int vocabulary = 30_000;

    @Option(
            names = "--embedding",
            paramLabel = "N",
            defaultValue = "100",
            description = "Word vector size (default: ${DEFAULT-VALUE}).")
    private int embedding = 100;

    @Option(
            names = "--hidden",
            paramLabel = "N",
            defaultValue = "256",
            description = "LSTM units per direction (default: ${DEFAULT-VALUE}).")
    private int hidden = 256;

    @Option(
            names = "--projection",
            paramLabel = "N",
            defaultValue = "256",
            description = "Attention size (default: ${DEFAULT-VALUE}).")
    private int projection = 256;

    @Mixin
    private final BenchOptions bench = new BenchOptions();

    @Override
    public Integer call() {
        BenchShape shape = new BenchShape(batchSize, tokens, labels, vocabulary);
        OptionCheck.atLeast(1, "--embedding", embedding);
        OptionCheck.atLeast(1, "--hidden", hidden);
        OptionCheck.atLeast(1, "--projection", projection);
        Compute compute = bench.open();
        BenchReport report = new BenchReport(shape, bench, compute);
        Engine.setSeed(1);
        try (LabelNetwork<?> network =
                new Laat.Config(embedding, hidden, projection, 0.3, 0, 0.03, -3).build(vocabulary, labels, compute)) {
            report.train(new ClassificationObjective(
                    network, shape.batches(bench.steps()), BenchOptions.FINE_TUNING, StepTimer.NO_VALIDATION));
            report.predict(network);
        }
        report.print("LAAT", facts(shape, compute), common, json);
        return CommandLine.ExitCode.OK;
    }

    private String facts(BenchShape shape, Compute compute) {
        return String.format(
                Locale.ROOT,
                "%s, embedding %d, hidden 2 x %d, projection %d, %s",
                shape,
                embedding,
                hidden,
                projection,
                bench.describe(compute));
    }
}
