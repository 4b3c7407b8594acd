package org.plant4j.cli.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.plant4j.Progress;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.pretrain.LanguageModel;
import org.plant4j.pretrain.LanguageModelConfig;
import org.plant4j.pretrain.LanguageModelObjective;
import org.plant4j.report.ReportTable;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.Dataset;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainingCheckpoint;
import org.plant4j.train.TrainingHistory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant bench language-model}: measures the training of an AWD-LSTM language model on random tokens. */
@Command(
        name = "language-model",
        description = "Measure language model training.",
        footer = {"", "With --dropout-multiplier 0 the losses on a GPU and a CPU are equal."})
final class BenchLanguageModelCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Option(
            names = "--vocabulary",
            paramLabel = "N",
            defaultValue = "57352",
            description = "Vocabulary size (default: ${DEFAULT-VALUE}).")
    private int vocabulary = 57_352;

    @Option(
            names = "--embedding",
            paramLabel = "N",
            defaultValue = "400",
            description = "Embedding size (default: ${DEFAULT-VALUE}).")
    private int embedding = 400;

    @Option(
            names = "--hidden",
            paramLabel = "N",
            defaultValue = "1152",
            description = "LSTM units (default: ${DEFAULT-VALUE}).")
    private int hidden = 1152;

    @Option(
            names = "--layers",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of LSTM layers (default: ${DEFAULT-VALUE}).")
    private int layers = 3;

    @Option(
            names = "--bptt",
            paramLabel = "N",
            defaultValue = "70",
            description = "Average number of tokens per window (default: ${DEFAULT-VALUE}).")
    private int bptt = 70;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            defaultValue = "64",
            description = "Sequences per batch (default: ${DEFAULT-VALUE}).")
    private int batchSize = 64;

    @Option(
            names = "--dropout-multiplier",
            paramLabel = "N",
            defaultValue = "1",
            description = "Factor on every dropout rate (default: ${DEFAULT-VALUE}).")
    private double dropoutMultiplier = 1;

    @Mixin
    private final BenchOptions bench = new BenchOptions();

    @Override
    public Integer call() {
        OptionCheck.atLeast(3, "--vocabulary", vocabulary); // two entries are padding and the unknown token
        Compute compute = bench.open();
        LanguageModelConfig config = LanguageModelConfig.builder()
                .embedding(embedding)
                .hidden(hidden)
                .layers(layers)
                .embeddingDropout(0.02)
                .inputDropout(0.25)
                .hiddenDropout(0.15)
                .outputDropout(0.1)
                .weightDropout(0.2)
                .dropoutMultiplier(dropoutMultiplier)
                .alpha(2)
                .beta(1)
                .epochs(bench.rounds())
                .learningRate(0.003)
                .weightDecay(0.01)
                .warmupRatio(0.25)
                .maxGradNorm(0.25)
                .bptt(bptt)
                .batchSize(batchSize)
                .build();
        report(compute, history(config, compute));
        return CommandLine.ExitCode.OK;
    }

    private TrainingHistory history(LanguageModelConfig config, Compute compute) {
        Engine.setSeed(1);
        Path directory = temporary();
        try (LanguageModel model = new LanguageModel(config, vocabulary, compute);
                LanguageModelObjective objective = new LanguageModelObjective(
                        model,
                        config,
                        List.of(new RandomText(tokens(), vocabulary)),
                        false,
                        1,
                        directory.resolve("lm"))) {
            return new Trainer<>(
                            config.trainer(),
                            objective,
                            compute,
                            1,
                            new TrainingCheckpoint(directory.resolve("checkpoint"), "benchmark"),
                            Progress.NONE,
                            () -> false)
                    .run()
                    .history();
        } finally {
            delete(directory);
        }
    }

    private int tokens() {
        return batchSize * bptt * bench.steps();
    }

    private void report(Compute compute, TrainingHistory history) {
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("round"),
                ReportTable.Column.number("loss", 5),
                ReportTable.Column.number("ms per step", 2),
                ReportTable.Column.number("tokens/s", 0));
        for (TrainingHistory.Epoch epoch : history.epochs()) {
            table = table.row(
                    epoch.epoch() == 0 ? "warm-up" : String.valueOf(epoch.epoch()),
                    epoch.trainLoss(),
                    1000 * epoch.seconds() / bench.steps(),
                    tokens() / epoch.seconds());
        }
        common.out()
                .println(String.format(
                        Locale.ROOT,
                        "%d sequences x %d tokens, vocabulary %d, embedding %d, %d layers of %d, %s",
                        batchSize,
                        bptt,
                        vocabulary,
                        embedding,
                        layers,
                        hidden,
                        bench.describe(compute)));
        common.out().print(table.toText());
        common.out().flush();
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("plant-bench");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One long document; low token ids are frequent, as in a vocabulary sorted by frequency. */
    private record RandomText(int length, int vocabulary) implements Dataset {

        @Override
        public int size() {
            return 1;
        }

        @Override
        public int length(int document) {
            return length;
        }

        @Override
        public int[] tokens(int document) {
            Random random = new Random(1);
            return random.doubles(length)
                    .mapToInt(share -> 2 + (int) ((vocabulary - 2) * Math.pow(share, 4)))
                    .toArray();
        }

        @Override
        public int[] labels(int document) {
            return new int[0];
        }
    }
}
