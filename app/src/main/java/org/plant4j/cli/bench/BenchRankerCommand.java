package org.plant4j.cli.bench;

import java.util.Arrays;
import java.util.concurrent.Callable;
import org.plant4j.Device;
import org.plant4j.Precision;
import org.plant4j.Progress;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.RankConfig;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.RankingObjective;
import org.plant4j.rank.Relevance;
import org.plant4j.report.ReportTable;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainingCheckpoint;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant bench ranker}: measures mutual information and the training of the ranker on random documents. */
@Command(
        name = "ranker",
        description = "Measure mutual information and the ranker of PLANT on synthetic documents.",
        footer = {"", "The ranker has the settings of the packaged experiments."})
final class BenchRankerCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Option(
            names = "--documents",
            paramLabel = "N",
            defaultValue = "44000",
            description = "Number of documents (default: ${DEFAULT-VALUE}).")
    private int documents = 44_000;

    @Option(
            names = "--tokens",
            paramLabel = "N",
            defaultValue = "100",
            description = "Tokens per document (default: ${DEFAULT-VALUE}).")
    private int tokens = 100;

    @Option(
            names = "--labels",
            paramLabel = "N",
            defaultValue = "30000",
            description = "Number of labels (default: ${DEFAULT-VALUE}).")
    private int labels = 30_000;

    @Option(
            names = "--vocabulary",
            paramLabel = "N",
            defaultValue = "50000",
            description = "Vocabulary size (default: ${DEFAULT-VALUE}).")
    private int vocabulary = 50_000;

    @Option(
            names = "--epochs",
            paramLabel = "N",
            defaultValue = "20",
            description = "Epochs of the ranker (default: ${DEFAULT-VALUE}).")
    private int epochs = 20;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            defaultValue = "auto",
            description = "Device: auto, cpu or cuda (default: ${DEFAULT-VALUE}).")
    private Device device = Device.AUTO;

    @Override
    public Integer call() {
        OptionCheck.atLeast(1, "--documents", documents);
        OptionCheck.atLeast(1, "--tokens", tokens);
        OptionCheck.atLeast(1, "--labels", labels);
        OptionCheck.atLeast(3, "--vocabulary", vocabulary);
        OptionCheck.atLeast(1, "--epochs", epochs);
        Compute compute = Compute.of(device, Precision.FLOAT32);
        SyntheticDocuments dataset = SyntheticDocuments.of(documents, tokens, vocabulary, labels);
        long start = System.nanoTime();
        Relevance relevance =
                new MutualInformation(MutualInformation.Kind.GAIN, 1000).compute(dataset, vocabulary, labels);
        long counted = System.nanoTime();
        double ndcg = train(relevance, compute);
        long trained = System.nanoTime();
        ReportTable table = ReportTable.of(ReportTable.Column.text("stage"), ReportTable.Column.number("seconds", 1))
                .row("mutual information", (counted - start) / 1e9)
                .row("ranker, " + epochs + " epochs", (trained - counted) / 1e9)
                .row("both", (trained - start) / 1e9);
        common.out()
                .println(documents + " documents x " + tokens + " tokens, " + labels + " labels, vocabulary "
                        + vocabulary + ", " + (compute.cuda() ? "cuda" : "cpu") + ", held-out nDCG " + ndcg);
        common.out().print(table.toText());
        common.out().flush();
        return CommandLine.ExitCode.OK;
    }

    /** Trains with the settings of {@code experiments/models/plant.yaml} and returns the held-out nDCG. */
    private double train(Relevance relevance, Compute compute) {
        RankConfig config = RankConfig.builder()
                .epochs(epochs)
                .warmupRatio(0.1)
                .learningRate(0.01)
                .weightDecay(0.01)
                .batchLabels(64)
                .topTokens(50)
                .sampledTokens(200)
                .samplingPower(0.75)
                .k(20)
                .sigma(1)
                .maxGrade(5)
                .heldOutEvery(10)
                .build();
        long[] frequencies = new long[vocabulary];
        Arrays.fill(frequencies, (long) documents * tokens / vocabulary + 1);
        Engine.setSeed(1);
        try (RankModel model =
                new RankModel(new RankModel.Config(RankModel.Scorer.DOT, 100, 0), vocabulary, labels, compute)) {
            RankingObjective objective = new RankingObjective(model, config, relevance, frequencies, 1);
            return new Trainer<>(
                            objective.trainer(),
                            objective,
                            compute,
                            1,
                            TrainingCheckpoint.NONE,
                            Progress.NONE,
                            () -> false)
                    .run()
                    .history()
                    .epochs()
                    .get(epochs - 1)
                    .devMetric();
        }
    }
}
