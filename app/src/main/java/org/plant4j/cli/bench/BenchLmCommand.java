package org.plant4j.cli.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.pretrain.LanguageModel;
import org.plant4j.pretrain.LanguageModelConfig;
import org.plant4j.pretrain.LanguageModelObjective;
import org.plant4j.report.ReportTable;
import org.plant4j.support.Progress;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.Dataset;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainingHistory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Times the training of a language model on random words. */
@Command(
        name = "lm",
        description = "Time a language model's training on random words.",
        footer = {
            "",
            "With --multiplier 0 nothing is dropped, and the losses on a GPU must be those on the CPU.",
        })
public final class BenchLmCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Option(names = "--words", defaultValue = "57352", description = "Vocabulary (default ${DEFAULT-VALUE}).")
    private int words = 57_352;

    @Option(names = "--embedding", defaultValue = "400", description = "Word vector size (default ${DEFAULT-VALUE}).")
    private int embedding = 400;

    @Option(names = "--hidden", defaultValue = "1152", description = "LSTM units (default ${DEFAULT-VALUE}).")
    private int hidden = 1152;

    @Option(names = "--layers", defaultValue = "3", description = "LSTM layers (default ${DEFAULT-VALUE}).")
    private int layers = 3;

    @Option(names = "--bptt", defaultValue = "70", description = "Tokens a window, on average (default 70).")
    private int bptt = 70;

    @Option(names = "--batch", defaultValue = "64", description = "Columns (default ${DEFAULT-VALUE}).")
    private int batch = 64;

    @Option(names = "--multiplier", defaultValue = "1", description = "Scales every dropout (default 1).")
    private double multiplier = 1;

    @Mixin
    private final BenchOptions bench = new BenchOptions();

    @Override
    public Integer call() {
        BenchOptions.atLeast(3, "--words", words); // two of them stand for padding and unknown words
        Compute compute = bench.open();
        LanguageModelConfig config = new LanguageModelConfig(
                embedding,
                hidden,
                layers,
                0.02,
                0.25,
                0.15,
                0.1,
                0.2,
                multiplier,
                2,
                1,
                bench.rounds(),
                0.003,
                0.01,
                0.25,
                0.25,
                bptt,
                batch,
                0,
                Optional.empty());
        report(compute, history(config, compute));
        return 0;
    }

    private TrainingHistory history(LanguageModelConfig config, Compute compute) {
        Engine.setSeed(1);
        Path folder = temporary();
        try (LanguageModel model = new LanguageModel(config, words, compute);
                LanguageModelObjective learning = new LanguageModelObjective(
                        model, config, List.of(new RandomText(tokens(), words)), false, 1, folder.resolve("lm"))) {
            return new Trainer<>(
                            config.trainer(),
                            learning,
                            compute,
                            1,
                            folder.resolve("checkpoint"),
                            Progress.NONE,
                            () -> false)
                    .run()
                    .history();
        } finally {
            delete(folder);
        }
    }

    private int tokens() {
        return batch * bptt * bench.steps();
    }

    private void report(Compute compute, TrainingHistory history) {
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("round"),
                ReportTable.Column.number("loss", 5),
                ReportTable.Column.number("ms a step", 2),
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
                        "%d columns x %d tokens, %d words, embedding %d, %d layers of %d, %s, %s",
                        batch,
                        bptt,
                        words,
                        embedding,
                        layers,
                        hidden,
                        compute.cuda() ? "cuda" : "cpu",
                        bench.precision().name().toLowerCase(Locale.ROOT)));
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

    private static void delete(Path folder) {
        try (Stream<Path> inside = Files.list(folder)) {
            for (Path file : inside.toList()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One text, frequent words first in the vocabulary as in any language. */
    private record RandomText(int length, int words) implements Dataset {

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
                    .mapToInt(share -> 2 + (int) ((words - 2) * Math.pow(share, 4)))
                    .toArray();
        }

        @Override
        public int[] labels(int document) {
            return new int[0];
        }
    }
}
