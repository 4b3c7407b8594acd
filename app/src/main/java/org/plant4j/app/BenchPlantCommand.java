package org.plant4j.app;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import org.plant4j.bench.EncoderAlone;
import org.plant4j.bench.LiteralPlant;
import org.plant4j.eval.Table;
import org.plant4j.lm.AwdLstm;
import org.plant4j.models.Classification;
import org.plant4j.models.Direction;
import org.plant4j.models.EncoderConfig;
import org.plant4j.models.FineTuning;
import org.plant4j.models.Inattention;
import org.plant4j.models.Plant;
import org.plant4j.nn.Batches;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Engine;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.train.Objective;
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
final class BenchPlantCommand implements Callable<Integer> {

    private static final double LEARNING_RATE = 1e-3;
    private static final double WEIGHT_DECAY = 0.01;
    private static final double MIB = 1 << 20;

    /** The encoders that can be measured, in the sizes of PLANT's paper and of this project's own experiments. */
    enum Reader {
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
    enum Form {
        OURS,
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
    private Reader encoder = Reader.AWD_LSTM;

    @Option(
            names = "--form",
            defaultValue = "ours",
            description =
                    "ours, literal for the paper's equations as they stand, or encoder to read and decode nothing (default ${DEFAULT-VALUE}).")
    private Form form = Form.OURS;

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

    private long gpuBefore;
    private long weights;

    /** The times of one kind of work, and the most memory taken until its end, in MiB. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Timed(String name, int documents, double[] milliseconds, double gpu, double resident) {

        double median() {
            return BenchTraining.median(milliseconds);
        }
    }

    @Override
    public Integer call() {
        BenchOptions.atLeast(1, "--documents", documents);
        BenchOptions.atLeast(1, "--tokens", tokens);
        BenchOptions.atLeast(1, "--labels", labels);
        BenchOptions.atLeast(3, "--words", words); // two of them stand for padding and unknown words
        BenchOptions.atLeast(1, "--relevant", relevant);
        Compute compute = bench.open().withLabelMemory(labelMemory);
        if (compute.cuda()) {
            Engine.describe(); // a first small product, so that what CUDA itself takes is not counted
            gpuBefore = PeakMemory.gpu().orElse(0);
        }
        Engine.seed(1);
        report(
                compute,
                switch (form) {
                    case OURS -> ours(compute);
                    case LITERAL -> literal(compute);
                    case ENCODER -> encoderAlone(compute);
                });
        return 0;
    }

    private List<Timed> literal(Compute compute) {
        try (LiteralPlant plant =
                new LiteralPlant(config(), words, relevance(), batches(), compute, LEARNING_RATE, WEIGHT_DECAY)) {
            weights = plant.size();
            return List.of(trained(plant, compute));
        }
    }

    private List<Timed> encoderAlone(Compute compute) {
        try (EncoderAlone encoding =
                new EncoderAlone(config(), words, batches(), compute, LEARNING_RATE, WEIGHT_DECAY)) {
            weights = encoding.size();
            return List.of(trained(encoding, compute));
        }
    }

    private Timed trained(Objective<int[]> learning, Compute compute) {
        double[] times = BenchTraining.milliseconds(learning, compute, bench.rounds(), bench.steps());
        return timed("training step", documents, times, compute);
    }

    private List<Timed> ours(Compute compute) {
        List<Timed> timed = new ArrayList<>();
        try (Plant plant = config().build(words, labels, compute)) {
            weights = plant.size();
            if (!unplanted) {
                plant(plant, compute);
            }
            if (!predictOnly) {
                Classification learning = new Classification(
                        plant, batches(), FineTuning.plain(LEARNING_RATE, WEIGHT_DECAY), BenchTraining.UNJUDGED);
                timed.add(trained(learning, compute));
            }
            if (documents > 1) {
                timed.add(prediction(plant, documents));
            }
            timed.add(prediction(plant, 1));
        }
        return timed;
    }

    private Timed prediction(Plant plant, int batch) {
        MadeDocuments made = MadeDocuments.of(batch, tokens, words, labels);
        return timed(
                "prediction of " + batch,
                batch,
                BenchTraining.predicting(plant, made, bench.rounds(), bench.steps()),
                plant.compute());
    }

    private Timed timed(String name, int batch, double[] times, Compute compute) {
        OptionalLong gpu = compute.cuda() ? PeakMemory.gpu() : OptionalLong.empty();
        return new Timed(
                name,
                batch,
                times,
                gpu.isPresent() ? (gpu.getAsLong() - gpuBefore) / MIB : Double.NaN,
                PeakMemory.resident().stream()
                        .mapToDouble(bytes -> bytes / MIB)
                        .findFirst()
                        .orElse(Double.NaN));
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

    private void plant(Plant plant, Compute compute) {
        try (RankModel ranker = new RankModel(config().ranker(), words, labels, compute)) {
            plant.plant(relevance(), Optional.of(ranker));
        }
    }

    /** Random words for each label, each less telling than the one before. */
    private Relevance relevance() {
        int real = words - 2;
        int kept = Math.min(relevant, real);
        float[] gains = new float[kept];
        for (int i = 0; i < kept; i++) {
            gains[i] = 1f / (i + 1);
        }
        Random random = new Random(2);
        int[][] tokens = new int[labels][kept];
        float[][] shared = new float[labels][];
        for (int label = 0; label < labels; label++) {
            int start = random.nextInt(real);
            int stride =
                    1 + random.nextInt(Math.max(1, real / kept)); // once round at most, so that no word comes twice
            for (int i = 0; i < kept; i++) {
                tokens[label][i] = 2 + (int) ((start + (long) i * stride) % real);
            }
            shared[label] = gains;
        }
        return new Relevance(tokens, shared);
    }

    private Batches batches() {
        return new Batches(
                MadeDocuments.of(documents * bench.steps(), tokens, words, labels), documents, documents * tokens, 1);
    }

    private void report(Compute compute, List<Timed> timed) {
        if (json.wanted()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("shape", shape(compute));
            for (Timed row : timed) {
                Map<String, Object> figures = new LinkedHashMap<>();
                figures.put("median_ms", row.median());
                figures.put("rounds_ms", row.milliseconds());
                figures.put("gpu_mib", row.gpu());
                figures.put("resident_mib", row.resident());
                facts.put(row.name(), figures);
            }
            common.out().println(JsonOption.text(facts));
            return;
        }
        Table table = Table.of(
                Table.Column.text("PLANT"),
                Table.Column.number("median ms", 2),
                Table.Column.number("best ms", 2),
                Table.Column.number("worst ms", 2),
                Table.Column.number("tokens/s", 0),
                Table.Column.number("GPU MiB", 0),
                Table.Column.number("resident MiB", 0));
        for (Timed row : timed) {
            table = table.row(
                    row.name(),
                    row.median(),
                    Arrays.stream(row.milliseconds()).min().orElseThrow(),
                    Arrays.stream(row.milliseconds()).max().orElseThrow(),
                    1000.0 * row.documents() * tokens / row.median(),
                    row.gpu(),
                    row.resident());
        }
        common.out().println(shape(compute));
        common.out().print(table.toText());
        common.out().flush();
    }

    private String shape(Compute compute) {
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
