package org.plant4j.cli.bench;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.plant4j.bench.EncoderBenchmark;
import org.plant4j.bench.ReferencePlantBenchmark;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.Direction;
import org.plant4j.model.FineTuning;
import org.plant4j.model.plant.Inattention;
import org.plant4j.model.plant.Plant;
import org.plant4j.rank.RankModel;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Times PLANT on made-up documents and words; {@code bench/plant.py} times the paper's equations in PyTorch. */
@Command(
        name = "plant",
        description = "Time PLANT's training step and prediction, and tell the memory they take.",
        footer = {
            "",
            "The defaults have the shape of MIMIC-III full and the sizes of the paper.",
            "The paper's equations in PyTorch: python bench/plant.py with the same options.",
        })
public final class BenchPlantCommand implements Callable<Integer> {

    private static final double LEARNING_RATE = 1e-3;
    private static final double WEIGHT_DECAY = 0.01;

    /** The encoders that can be measured, in the sizes of PLANT's paper and of this project's own experiments. */
    public enum EncoderKind {
        AWD_LSTM,
        BILSTM;

        EncoderConfig config() {
            return switch (this) {
                case AWD_LSTM -> new EncoderConfig.Awd(new AwdLstm.Config(400, 1152, 3, 0.02, 0.25, 0.15, 0.2, 1));
                case BILSTM -> new EncoderConfig.BiLstm(200, 256, 0.5);
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** How the logits are computed. */
    enum Variant {
        OPTIMIZED,
        LITERAL,
        ENCODER
    }

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Option(names = "--documents", defaultValue = "16", description = "Documents a batch (default ${DEFAULT-VALUE}).")
    private int documents = 16;

    @Option(names = "--tokens", defaultValue = "72", description = "Tokens a document (default ${DEFAULT-VALUE}).")
    private int tokens = 72;

    @Option(names = "--labels", defaultValue = "8929", description = "Labels (default ${DEFAULT-VALUE}).")
    private int labels = 8929;

    @Option(names = "--words", defaultValue = "57352", description = "Vocabulary (default ${DEFAULT-VALUE}).")
    private int words = 57_352;

    @Option(
            names = "--relevant",
            defaultValue = "1000",
            description = "Words that mutual information keeps for a label (default ${DEFAULT-VALUE}).")
    private int relevant = 1000;

    @Option(
            names = "--encoder",
            defaultValue = "awd-lstm",
            description = "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
    private EncoderKind encoder = EncoderKind.AWD_LSTM;

    @Option(
            names = "--form",
            defaultValue = "optimized",
            description =
                    "optimized, literal for the paper's equations as they stand, or encoder to read and decode nothing (default ${DEFAULT-VALUE}).")
    private Variant form = Variant.OPTIMIZED;

    @Option(names = "--unplanted", description = "The control: nothing is planted.")
    private boolean unplanted;

    @Option(names = "--predict-only", description = "Do not time the training.")
    private boolean predictOnly;

    @Option(
            names = "--label-memory",
            defaultValue = "1073741824",
            description = "Bytes for tensors of each token and label (default ${DEFAULT-VALUE}).")
    private long labelMemory = Compute.LABEL_MEMORY;

    @Mixin
    private final BenchOptions bench = new BenchOptions();

    private long weights;

    @Override
    public Integer call() {
        BenchShape shape = new BenchShape(documents, tokens, labels, words);
        BenchOptions.atLeast(1, "--relevant", relevant);
        Compute compute = bench.open().withLabelMemory(labelMemory);
        BenchReport figures = new BenchReport(shape, bench, compute);
        Engine.setSeed(1);
        switch (form) {
            case OPTIMIZED -> ours(shape, compute, figures);
            case LITERAL -> literal(shape, compute, figures);
            case ENCODER -> encoderAlone(shape, compute, figures);
        }
        figures.print("PLANT", facts(compute), common, json);
        return 0;
    }

    private void literal(BenchShape shape, Compute compute, BenchReport figures) {
        try (ReferencePlantBenchmark plant = new ReferencePlantBenchmark(
                config(),
                words,
                SyntheticRelevance.of(shape, relevant),
                shape.batches(bench.steps()),
                compute,
                LEARNING_RATE,
                WEIGHT_DECAY)) {
            weights = plant.parameterCount();
            figures.train(plant);
        }
    }

    private void encoderAlone(BenchShape shape, Compute compute, BenchReport figures) {
        try (EncoderBenchmark encoding = new EncoderBenchmark(
                config(), words, shape.batches(bench.steps()), compute, LEARNING_RATE, WEIGHT_DECAY)) {
            weights = encoding.parameterCount();
            figures.train(encoding);
        }
    }

    private void ours(BenchShape shape, Compute compute, BenchReport figures) {
        try (Plant plant = config().build(words, labels, compute)) {
            weights = plant.parameterCount();
            if (!unplanted) {
                SyntheticRelevance.plantInto(plant, config().rankModel(), shape, relevant);
            }
            if (!predictOnly) {
                figures.train(new ClassificationObjective(
                        plant,
                        shape.batches(bench.steps()),
                        FineTuning.uniform(LEARNING_RATE, WEIGHT_DECAY),
                        StepTimer.NO_VALIDATION));
            }
            figures.predict(plant);
        }
    }

    private Plant.Config config() {
        return new Plant.Config(
                encoder.config(),
                new RankModel.Config(RankModel.Scorer.DOT, 100, 0),
                false,
                0.3,
                true,
                !unplanted,
                !unplanted,
                List.of(1.0, 1.0, 1.0),
                Inattention.NONE,
                0,
                0.03,
                -3,
                Direction.FORWARD,
                0,
                0);
    }

    private String facts(Compute compute) {
        return String.format(
                Locale.ROOT,
                "%s%s, %d documents x %d tokens, %d labels, %d words, %s, %,d weights, %s, %s, label memory %d MiB",
                form.name().toLowerCase(Locale.ROOT),
                unplanted ? " unplanted" : "",
                documents,
                tokens,
                labels,
                words,
                encoder,
                weights,
                compute.cuda() ? "cuda" : "cpu",
                bench.precision().name().toLowerCase(Locale.ROOT),
                labelMemory >> 20);
    }
}
