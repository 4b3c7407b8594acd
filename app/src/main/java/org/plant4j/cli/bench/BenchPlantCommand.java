package org.plant4j.cli.bench;

import java.util.Locale;
import java.util.concurrent.Callable;
import org.plant4j.Precision;
import org.plant4j.UserError;
import org.plant4j.bench.EncoderBenchmark;
import org.plant4j.bench.ReferencePlantBenchmark;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.TrainingLabels;
import org.plant4j.model.plant.Plant;
import org.plant4j.rank.RankModel;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.GpuOptions;
import org.plant4j.train.Loss;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant bench plant}: measures PLANT; {@code bench/plant.py} measures the equations of the paper in PyTorch. */
@Command(
        name = "plant",
        description = "Measure PLANT on synthetic documents.",
        footer = {
            "",
            "The defaults are the shape of MIMIC-III full and the sizes of the paper.",
            "bench/plant.py measures the equations of the paper in PyTorch, with the same options.",
        })
final class BenchPlantCommand implements Callable<Integer> {

    /** Encoders with the sizes of the PLANT paper (AWD-LSTM) and of the packaged experiments (BiLSTM). */
    enum EncoderKind {
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

    /** The implementation that is measured. */
    enum Variant {
        OPTIMIZED,
        LITERAL,
        ENCODER
    }

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            defaultValue = "16",
            description = "Documents per batch (default: ${DEFAULT-VALUE}).")
    private int batchSize = 16;

    @Option(
            names = "--tokens",
            paramLabel = "N",
            defaultValue = "72",
            description = "Tokens per document (default: ${DEFAULT-VALUE}).")
    private int tokens = 72;

    @Option(
            names = "--labels",
            paramLabel = "N",
            defaultValue = "8929",
            description = "Number of labels (default: ${DEFAULT-VALUE}).")
    private int labels = 8929;

    @Option(
            names = "--vocabulary",
            paramLabel = "N",
            defaultValue = "57352",
            description = "Vocabulary size (default: ${DEFAULT-VALUE}).")
    private int vocabulary = 57_352;

    @Option(
            names = "--relevant-tokens",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Tokens per label that mutual information keeps (default: ${DEFAULT-VALUE}).")
    private int relevantTokens = 1000;

    @Option(
            names = "--encoder",
            paramLabel = "ENCODER",
            defaultValue = "awd-lstm",
            description = "Encoder: awd-lstm or bilstm (default: ${DEFAULT-VALUE}).")
    private EncoderKind encoder = EncoderKind.AWD_LSTM;

    @Option(
            names = "--variant",
            paramLabel = "VARIANT",
            defaultValue = "optimized",
            description =
                    "optimized, literal (the equations of the paper) or encoder (without decoder) (default: ${DEFAULT-VALUE}).")
    private Variant variant = Variant.OPTIMIZED;

    @Option(names = "--unplanted", description = "Measure the control, without planting.")
    private boolean unplanted;

    @Option(
            names = "--shortlist",
            paramLabel = "N",
            defaultValue = "0",
            description = "Labels per document that are trained and scored; 0: all (default: ${DEFAULT-VALUE}).")
    private int shortlist;

    @Option(
            names = "--random-labels",
            paramLabel = "N",
            defaultValue = "1000",
            description = "With a shortlist, random labels trained in each step (default: ${DEFAULT-VALUE}).")
    private int randomLabels = 1000;

    @Option(
            names = "--label-precision",
            paramLabel = "PRECISION",
            defaultValue = "float32",
            description = "Precision of stored label weights: float32 or bfloat16, which needs --shortlist to train"
                    + " (default: ${DEFAULT-VALUE}).")
    private Precision labelPrecision = Precision.FLOAT32;

    @Option(names = "--predict-only", description = "Measure prediction only.")
    private boolean predictOnly;

    @Option(
            names = "--label-memory",
            paramLabel = "BYTES",
            defaultValue = "1073741824",
            description = "Memory for tensors of tokens and labels (default: ${DEFAULT-VALUE}).")
    private long labelMemory = Compute.LABEL_MEMORY;

    @Option(names = "--no-padded-labels", description = "On a GPU: do not round labels up to a multiple of 8.")
    private boolean noPaddedLabels;

    @Option(
            names = "--no-fused-kernels",
            description = "On a GPU: use libtorch's kernels only. They are always used without padded labels.")
    private boolean noFusedKernels;

    @Option(names = "--graphs", description = "On a GPU: launch the kernels of AWD-LSTM as CUDA graphs.")
    private boolean graphs;

    @Mixin
    private final BenchOptions bench = new BenchOptions();

    private long parameters;

    @Override
    public Integer call() {
        BenchShape shape = new BenchShape(batchSize, tokens, labels, vocabulary);
        OptionCheck.atLeast(1, "--relevant-tokens", relevantTokens);
        OptionCheck.atLeast(0, "--shortlist", shortlist);
        OptionCheck.atLeast(0, "--random-labels", randomLabels);
        OptionCheck.storable("--label-precision", labelPrecision);
        checkShortlist();
        Compute compute = bench.open()
                .withLabelMemory(labelMemory)
                .withGpuOptions(new GpuOptions(!noPaddedLabels, !noFusedKernels, graphs));
        BenchReport report = new BenchReport(shape, bench, compute);
        Engine.setSeed(1);
        switch (variant) {
            case OPTIMIZED -> optimized(shape, compute, report);
            case LITERAL -> literal(shape, compute, report);
            case ENCODER -> encoderAlone(shape, compute, report);
        }
        report.print("PLANT", facts(shape, compute), common, json);
        return CommandLine.ExitCode.OK;
    }

    private void checkShortlist() {
        if (shortlist > 0 && unplanted) {
            throw new UserError("The control has no shortlist", "--shortlist, --unplanted", "give one of them");
        }
        if (labelPrecision == Precision.BFLOAT16 && shortlist == 0 && !predictOnly) {
            throw new UserError(
                    "Label weights in bfloat16 are trained by shortlist only",
                    "--label-precision",
                    "add --shortlist, such as --shortlist 1000, or --predict-only");
        }
    }

    private void literal(BenchShape shape, Compute compute, BenchReport report) {
        try (ReferencePlantBenchmark plant = new ReferencePlantBenchmark(
                config(),
                vocabulary,
                SyntheticRelevance.of(shape, relevantTokens),
                shape.batches(bench.steps()),
                compute,
                BenchOptions.LEARNING_RATE,
                BenchOptions.WEIGHT_DECAY)) {
            parameters = plant.parameterCount();
            report.train(plant);
        }
    }

    private void encoderAlone(BenchShape shape, Compute compute, BenchReport report) {
        try (EncoderBenchmark benchmark = new EncoderBenchmark(
                config(),
                vocabulary,
                shape.batches(bench.steps()),
                compute,
                BenchOptions.LEARNING_RATE,
                BenchOptions.WEIGHT_DECAY)) {
            parameters = benchmark.parameterCount();
            report.train(benchmark);
        }
    }

    private void optimized(BenchShape shape, Compute compute, BenchReport report) {
        try (Plant plant = config().build(vocabulary, labels, compute)) {
            parameters = plant.parameterCount();
            if (!unplanted) {
                SyntheticRelevance.plantInto(plant, config().rankModel(), shape, relevantTokens);
            }
            if (!predictOnly) {
                Batches batches = shape.batches(bench.steps());
                report.train(new ClassificationObjective(
                        plant,
                        epoch -> batches,
                        BenchOptions.FINE_TUNING,
                        Loss.PLAIN,
                        0,
                        new TrainingLabels(shortlist, randomLabels),
                        StepTimer.NO_VALIDATION));
            }
            report.predict(plant);
        }
    }

    private Plant.Config config() {
        return Plant.Config.builder(encoder.config())
                .ranker(new RankModel.Config(RankModel.Scorer.DOT, 100, 0))
                .lexical(false)
                .dropout(0.3)
                .fixed(!unplanted)
                .differentiable(!unplanted)
                .initialBias(-3)
                .shortlist(shortlist)
                .labelPrecision(labelPrecision)
                .build();
    }

    private String facts(BenchShape shape, Compute compute) {
        return String.format(
                Locale.ROOT,
                "%s%s, %s, %s, %,d parameters, %s, label memory %d MiB%s%s",
                variant.name().toLowerCase(Locale.ROOT),
                unplanted ? " unplanted" : "",
                shape,
                encoder,
                parameters,
                bench.describe(compute),
                labelMemory >> 20,
                compute.cuda() ? ", " + describe(compute.gpuOptions()) : "",
                shortlist == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                ", shortlist %d + %d random, labels in %s",
                                shortlist,
                                randomLabels,
                                labelPrecision.name().toLowerCase(Locale.ROOT)));
    }

    private static String describe(GpuOptions options) {
        return (options.paddedLabels() ? "padded" : "unpadded")
                + (options.fusedKernels() && options.paddedLabels() ? ", fused" : ", not fused")
                + (options.graphs() ? ", graphs" : ", no graphs");
    }
}
