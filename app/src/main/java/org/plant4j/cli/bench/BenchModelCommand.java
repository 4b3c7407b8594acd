package org.plant4j.cli.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.ExperimentArgument;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.Experiment;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.NetworkConfig;
import org.plant4j.rank.MutualInformation;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Times whichever network an experiment describes, on made-up documents. */
@Command(
        name = "model",
        description = "Time a network's training step and prediction, and tell the memory they take.",
        footer = {
            "",
            "It learns as the experiment says: loss, rates, what is planted. Only the batch is of the given shape.",
            "Weights are random, also those of a pretrained encoder, of which the sizes are taken; where none is named,",
            "multilingual BERT's.",
            "",
            "Examples:",
            "  plant bench model description-attention --precision bfloat16",
            "  plant bench model isd-paper --documents 16 --tokens 2500 --labels 8929 --words 52254",
            "  plant bench model laat --set model.hidden=256"
        })
public final class BenchModelCommand implements Callable<Integer> {

    private static final int DEFAULT_VOCABULARY = 30_000;
    private static final int BERT_VOCABULARY = 119_547;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(
            paramLabel = "EXPERIMENT",
            description = "A YAML file, or a packaged experiment or model, such as description-attention or isd.")
    private String named = "";

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Change a setting, such as model.held_tokens=8192; may be repeated.")
    private List<String> overrides = List.of();

    @Option(names = "--documents", defaultValue = "8", description = "Documents a batch (default ${DEFAULT-VALUE}).")
    private int documents = 8;

    @Option(names = "--tokens", defaultValue = "1000", description = "Tokens a document (default ${DEFAULT-VALUE}).")
    private int tokens = 1000;

    @Option(names = "--labels", defaultValue = "850", description = "Labels (default ${DEFAULT-VALUE}).")
    private int labels = 850;

    @Option(
            names = "--words",
            description = "Vocabulary (default: the pretrained encoder's, multilingual BERT's of " + BERT_VOCABULARY
                    + " where none is named, " + DEFAULT_VOCABULARY + " of another encoder).")
    private Optional<Integer> words = Optional.empty();

    @Option(
            names = "--description-tokens",
            defaultValue = "15",
            description = "Tokens of a label's description, where they are read (default ${DEFAULT-VALUE}).")
    private int descriptionTokens = 15;

    @Option(names = "--predict-only", description = "Do not time the training.")
    private boolean predictOnly;

    @Mixin
    private final BenchOptions bench = new BenchOptions();

    @Override
    public Integer call() {
        Experiment experiment = ExperimentArgument.readModel(named, overrides);
        NetworkConfig config = experiment
                .model()
                .network()
                .orElseThrow(() -> new UserError(
                        "The model is not a network and has no training step to time",
                        named,
                        "name a network, such as plant or laat"));
        BenchOptions.atLeast(1, "--description-tokens", descriptionTokens);
        BenchShape shape = new BenchShape(documents, tokens, labels, vocabularySize(config, experiment));
        Compute compute = bench.open();
        Engine.setSeed(1);
        BenchReport figures = new BenchReport(shape, bench, compute);
        try (LabelNetwork<?> network = config.build(shape.words(), labels, compute)) {
            initialize(network, experiment, shape);
            if (!predictOnly) {
                figures.train(new ClassificationObjective(
                        network,
                        shape.batches(bench.steps()),
                        experiment.training().fineTuning(),
                        experiment.training().loss(),
                        StepTimer.NO_VALIDATION));
            }
            figures.predict(network);
            figures.print("model", facts(network, config, shape), common, json);
        }
        return 0;
    }

    private int vocabularySize(NetworkConfig config, Experiment experiment) {
        Optional<BertEncoder.Config> bert = config.pretrainedEncoder();
        int chosen = words.orElseGet(() -> bert.isEmpty() ? DEFAULT_VOCABULARY : pretrainedVocabularySize(experiment));
        bert.ifPresent(
                encoder -> BenchOptions.atLeast(1 + Math.max(encoder.begin(), encoder.end()), "--words", chosen));
        return chosen;
    }

    private static int pretrainedVocabularySize(Experiment experiment) {
        return experiment
                .pretrained()
                .map(folder -> new EncoderDirectory(Path.of(folder)))
                .filter(folder -> Files.exists(folder.tokensFile()))
                .map(folder -> folder.tokens().size())
                .orElse(BERT_VOCABULARY);
    }

    /** Gives the network inputs of the size it has in a run. */
    private void initialize(LabelNetwork<?> network, Experiment experiment, BenchShape shape) {
        ModelConfig config = experiment.model();
        if (config.usesRelevance()) {
            int relevant = experiment.relevance().map(MutualInformation::topK).orElse(1);
            SyntheticRelevance.plantInto(network, config.rankModel(), shape, relevant);
        }
        if (config.usesDescriptions()) {
            Random random = new Random(3);
            network.setDescriptions(IntStream.range(0, labels)
                    .mapToObj(label ->
                            random.ints(descriptionTokens, 2, shape.words()).toArray())
                    .toList());
        }
    }

    private String facts(LabelNetwork<?> network, NetworkConfig config, BenchShape shape) {
        return String.format(
                Locale.ROOT,
                "%s, %d documents x %d tokens, %d labels%s, %d words, %,d weights, %s, %s",
                named,
                documents,
                tokens,
                labels,
                config.usesDescriptions() ? " x " + descriptionTokens + " tokens" : "",
                shape.words(),
                network.parameterCount(),
                network.compute().cuda() ? "cuda" : "cpu",
                bench.precision().name().toLowerCase(Locale.ROOT));
    }
}
