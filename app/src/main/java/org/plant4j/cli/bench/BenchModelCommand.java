package org.plant4j.cli.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.ExperimentArgument;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.Experiment;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.NetworkConfig;
import org.plant4j.rank.MutualInformation;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant bench model}: measures the network that an experiment describes. */
@Command(
        name = "model",
        description = "Measure the network of an experiment.",
        footer = {
            "",
            "Loss, learning rates and planting are those of the experiment. Documents and weights are random.",
            "",
            "Examples:",
            "  plant bench model description-attention --precision bfloat16",
            "  plant bench model isd-paper --batch-size 16 --tokens 2500",
            "  plant bench model laat --set model.hidden=256"
        })
final class BenchModelCommand implements Callable<Integer> {

    private static final int DEFAULT_VOCABULARY = 30_000;
    private static final int BERT_VOCABULARY = 119_547;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(paramLabel = "EXPERIMENT", description = "A YAML file, or a packaged experiment or model such as isd.")
    private String named = "";

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Override a setting, such as model.hidden=256; may be repeated.")
    private List<String> overrides = List.of();

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            defaultValue = "8",
            description = "Documents per batch (default: ${DEFAULT-VALUE}).")
    private int batchSize = 8;

    @Option(
            names = "--tokens",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Tokens per document (default: ${DEFAULT-VALUE}).")
    private int tokens = 1000;

    @Option(
            names = "--labels",
            paramLabel = "N",
            defaultValue = "850",
            description = "Number of labels (default: ${DEFAULT-VALUE}).")
    private int labels = 850;

    @Option(
            names = "--vocabulary",
            paramLabel = "N",
            description = "Vocabulary size (default: that of the encoder, or 30000 without a pretrained one).")
    private Optional<Integer> vocabulary = Optional.empty();

    @Option(
            names = "--description-tokens",
            paramLabel = "N",
            defaultValue = "15",
            description = "Tokens per label description, if the model uses descriptions (default: ${DEFAULT-VALUE}).")
    private int descriptionTokens = 15;

    @Option(names = "--predict-only", description = "Measure prediction only.")
    private boolean predictOnly;

    @Mixin
    private final BenchOptions bench = new BenchOptions();

    @Override
    public Integer call() {
        Experiment experiment = ExperimentArgument.readModel(named, overrides);
        NetworkConfig config = experiment
                .model()
                .network()
                .orElseThrow(() ->
                        new UserError("This model is not a network", named, "choose a network, such as plant or laat"));
        OptionCheck.atLeast(1, "--description-tokens", descriptionTokens);
        BenchShape shape = new BenchShape(batchSize, tokens, labels, vocabularySize(config, experiment));
        Compute compute = bench.open();
        Engine.setSeed(1);
        BenchReport report = new BenchReport(shape, bench, compute);
        try (LabelNetwork<?> network = config.build(shape.vocabulary(), labels, compute)) {
            initialize(network, experiment, shape);
            if (!predictOnly) {
                Batches batches = shape.batches(bench.steps());
                report.train(new ClassificationObjective(
                        network,
                        epoch -> batches,
                        experiment.training().fineTuning(),
                        experiment.training().loss(),
                        0,
                        experiment.training().trainingLabels(),
                        StepTimer.NO_VALIDATION));
            }
            report.predict(network);
            report.print("model", facts(network, config, shape), common, json);
        }
        return CommandLine.ExitCode.OK;
    }

    private int vocabularySize(NetworkConfig config, Experiment experiment) {
        Optional<BertEncoder.Config> bert = config.pretrainedEncoder();
        int chosen =
                vocabulary.orElseGet(() -> bert.isEmpty() ? DEFAULT_VOCABULARY : pretrainedVocabularySize(experiment));
        bert.ifPresent(
                encoder -> OptionCheck.atLeast(1 + Math.max(encoder.begin(), encoder.end()), "--vocabulary", chosen));
        return chosen;
    }

    private static int pretrainedVocabularySize(Experiment experiment) {
        return experiment
                .pretrainedEncoder()
                .map(path -> new EncoderDirectory(Path.of(path)))
                .filter(directory -> Files.exists(directory.tokensFile()))
                .map(directory -> directory.tokens().size())
                .orElse(BERT_VOCABULARY);
    }

    /** Gives the network inputs of the size it has in a run. */
    private void initialize(LabelNetwork<?> network, Experiment experiment, BenchShape shape) {
        ModelConfig config = experiment.model();
        if (config.usesRelevance()) {
            int relevant =
                    experiment.mutualInformation().map(MutualInformation::topK).orElse(1);
            SyntheticRelevance.plantInto(network, config.rankModel(), shape, relevant);
        }
        if (config.usesDescriptions()) {
            Random random = new Random(3);
            network.setDescriptions(IntStream.range(0, labels)
                    .mapToObj(label -> random.ints(descriptionTokens, 2, shape.vocabulary())
                            .toArray())
                    .toList());
        }
    }

    private String facts(LabelNetwork<?> network, NetworkConfig config, BenchShape shape) {
        return String.format(
                Locale.ROOT,
                "%s, %s%s, %,d parameters, %s",
                named,
                shape,
                config.usesDescriptions() ? ", " + descriptionTokens + " tokens per description" : "",
                network.parameterCount(),
                bench.describe(network.compute()));
    }
}
