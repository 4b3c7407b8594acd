package org.plant4j.experiment;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.plant4j.UserError;
import org.plant4j.corpus.CorpusConfig;
import org.plant4j.eval.Metrics;
import org.plant4j.lm.AwdLstm;
import org.plant4j.lm.LmConfig;
import org.plant4j.lm.MlmConfig;
import org.plant4j.lm.VectorMethod;
import org.plant4j.models.Average;
import org.plant4j.models.Direction;
import org.plant4j.models.EncodedConfig;
import org.plant4j.models.EncoderConfig;
import org.plant4j.models.FineTuning;
import org.plant4j.models.Loss;
import org.plant4j.models.ModelConfig;
import org.plant4j.models.NetworkConfig;
import org.plant4j.models.Plant;
import org.plant4j.models.PlantedConfig;
import org.plant4j.nn.BertEncoder;
import org.plant4j.nn.Compute;
import org.plant4j.nn.EncoderFolder;
import org.plant4j.nn.Precision;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.RankConfig;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.Unseen;
import org.plant4j.train.TrainerConfig;

/**
 * One experiment, as its YAML file says with all that it extends. Text of {@code unlabelled} corpora lends its words, and
 * {@code vectors} are learned from it and from the training text for embeddings to start from; so is {@code lm}, a language model for an AWD-LSTM to start from. {@code pretrained} is the folder of a pretrained encoder, whose pieces are then the words; with {@code mlm} it goes on learning from that text before the model starts from it. A planted model needs
 * {@code relevance}, which tokens speak for which code, and {@code rank}, how a ranker learns it.
 */
public record Experiment(
        String name,
        long seed,
        CorpusConfig corpus,
        List<String> codebooks,
        Text text,
        Optional<String> pretrained,
        List<CorpusConfig> unlabelled,
        Optional<VectorMethod> vectors,
        Optional<LmConfig> lm,
        Optional<MlmConfig> mlm,
        Optional<MutualInformation> relevance,
        Optional<RankConfig> rank,
        ModelConfig model,
        Training training,
        Evaluating evaluation,
        Computing compute) {

    /** Devices of Windows, with any ending: no folder can have such a name there. */
    private static final Pattern DEVICE = Pattern.compile("(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\\..*)?");

    public Experiment {
        boolean plain = name.matches("[A-Za-z0-9._-]+") && !name.startsWith(".") && !name.endsWith(".");
        if (!plain || DEVICE.matcher(name).matches()) {
            throw new UserError(
                    "'" + name + "' cannot name a run folder",
                    "name",
                    plain
                            ? "choose another: Windows keeps it for a device"
                            : "use letters, digits, '-', '_' and '.', the last neither first nor at the end");
        }
        int size = vectors.map(VectorMethod::size).orElse(0);
        if (size > 0 && model instanceof NetworkConfig network && network.embedding() != size) {
            throw new UserError(
                    "Word vectors of " + size + " numbers do not fit an embedding of " + network.embedding(),
                    "vectors.size, model.embedding",
                    "give both the same number");
        }
        if (pretrained.isEmpty() && bert(model).isPresent()) {
            throw new UserError(
                    "The model's encoder is one that was pretrained, but none is named",
                    "pretrained",
                    "import one, plant encoder import SOURCE --to encoders/NAME, and name encoders/NAME/encoder.yaml in `extends`");
        }
        bert(model).ifPresent(encoder -> mlm.ifPresent(config -> inPlace(config, encoder)));
        awd(model).ifPresent(encoder -> lm.ifPresent(config -> sameSizes(config, encoder)));
        planted(model).ifPresent(plant -> plantable(plant, relevance, rank, size));
        if (text.unseen() != Unseen.NONE) {
            canMeetStrangers(model, !codebooks.isEmpty() || corpus.format().equals("demo"));
        }
        codebooks = List.copyOf(codebooks);
        unlabelled = List.copyOf(unlabelled);
    }

    /** The members of an average are asked each by itself. */
    private static void canMeetStrangers(ModelConfig model, boolean hasBook) {
        boolean can =
                model instanceof Average.Config || (model instanceof NetworkConfig network && network.scoresUnseen());
        if (!can) {
            throw new UserError(
                    "The model cannot give codes that training never showed",
                    "text.unseen",
                    "set it to none, or use a model that reads what codes mean: `extends: description-attention`");
        }
        if (!hasBook) {
            throw new UserError(
                    "There is no code book to take codes from that training never showed",
                    "text.unseen, codebooks",
                    "name a code book in codebooks, or set text.unseen: none");
        }
    }

    /** The language model that the model's encoder starts from. */
    Optional<LmConfig> languageModel() {
        return awd(model).flatMap(encoder -> lm);
    }

    /** The folder that the model's encoder starts from. */
    Optional<EncoderFolder> pretrainedEncoder() {
        return bert(model).flatMap(encoder -> pretrained.map(Path::of).map(EncoderFolder::new));
    }

    /** How that encoder goes on learning from text before the model starts from it. */
    Optional<MlmConfig> furtherPretraining() {
        return bert(model).flatMap(encoder -> mlm);
    }

    /** That encoder as it then reads. */
    Optional<BertEncoder.Config> maskedReader() {
        return bert(model).flatMap(encoder -> mlm.map(config -> encoder.withWindow(config.window(), 0)));
    }

    private static Optional<BertEncoder.Config> bert(ModelConfig model) {
        return model instanceof NetworkConfig network ? network.bert() : Optional.empty();
    }

    private static void inPlace(MlmConfig mlm, BertEncoder.Config encoder) {
        if (mlm.window() > encoder.longest()) {
            throw new UserError(
                    "The encoder cannot read " + mlm.window() + " pieces at once",
                    "mlm.window",
                    "use at most " + encoder.longest());
        }
    }

    private static Optional<AwdLstm.Config> awd(ModelConfig model) {
        return model instanceof EncodedConfig encoded && encoded.encoder() instanceof EncoderConfig.Awd awd
                ? Optional.of(awd.sizes())
                : Optional.empty();
    }

    private static void sameSizes(LmConfig lm, AwdLstm.Config encoder) {
        if (lm.embedding() != encoder.embedding()
                || lm.hidden() != encoder.hidden()
                || lm.layers() != encoder.layers()) {
            throw new UserError(
                    "The encoder cannot start from a language model of another size",
                    "lm, model.encoder",
                    "give both the same embedding, hidden and layers, or set lm: null");
        }
    }

    /** Whether the model reads texts from their end. */
    boolean readsBackward() {
        return model instanceof Plant.Config plant && plant.direction() == Direction.BACKWARD;
    }

    /** Whether the model reads what its codes mean, so that it hangs on the code books. */
    boolean readsDescriptions() {
        return model instanceof NetworkConfig network && network.readsDescriptions();
    }

    /** What the model's attention is planted with. */
    Optional<PlantedConfig> planted() {
        return planted(model);
    }

    private static Optional<PlantedConfig> planted(ModelConfig model) {
        return model instanceof NetworkConfig network ? network.planting() : Optional.empty();
    }

    private static void plantable(
            PlantedConfig plant, Optional<MutualInformation> relevance, Optional<RankConfig> rank, int vectorSize) {
        if (relevance.isEmpty() || (plant.differentiable() && rank.isEmpty())) {
            throw new UserError(
                    "There is nothing to plant: the section is missing",
                    relevance.isEmpty() ? "relevance" : "rank",
                    "give it, or extend a file that does: `extends: plant`");
        }
        boolean fromVectors = plant.differentiable() && rank.orElseThrow().start() == RankConfig.Start.VECTORS;
        if (fromVectors && vectorSize != plant.ranker().size()) {
            throw new UserError(
                    vectorSize == 0
                            ? "The ranker is to start from word vectors, but there are none"
                            : "Word vectors of " + vectorSize + " numbers do not fit a ranker of "
                                    + plant.ranker().size(),
                    "rank.start, vectors.size, model.ranker.size",
                    "give both the same number, or set rank.start: none");
        }
    }

    /**
     * Which words, codes and training documents a run knows. Of the documents a random sample of so many may be taken (0:
     * all), which is a function of the seed; a smaller one lies within a larger. {@code unseen} codes are given without being
     * learned. Documents that say where their codes are also teach by {@code passages} of at most so many tokens (0: they do
     * not).
     */
    public record Text(
            int minCount, int maxWords, int minDocuments, int trainingDocuments, Unseen unseen, int passages) {

        public Text {
            new PreparedCorpus.Limits(minCount, maxWords, minDocuments); // told now, not when the corpus is read
            require(trainingDocuments >= 0, "training_documents", trainingDocuments, ">= 0");
            require(passages >= 0, "passages", passages, ">= 0; 0 cuts none");
        }

        PreparedCorpus.Limits limits() {
            return new PreparedCorpus.Limits(minCount, maxWords, minDocuments);
        }
    }

    /** How a network learns; {@code metric} on dev chooses the epoch that is kept. */
    public record Training(
            int epochs,
            double learningRate,
            double weightDecay,
            double encoderRate,
            double plantedRate,
            double layerDecay,
            int unfreeze,
            boolean priorBias,
            double warmup,
            double clip,
            double beta1,
            double beta2,
            int patience,
            int batchDocuments,
            int batchTokens,
            Loss loss,
            String metric) {

        public Training {
            new TrainerConfig(epochs, warmup, clip, beta1, beta2, patience); // told now, not after the preparation
            require(warmup >= 0 && warmup < 1, "warmup", warmup, ">= 0 and < 1");
            new FineTuning(learningRate, weightDecay, encoderRate, plantedRate, layerDecay, unfreeze);
            require(batchDocuments >= 1, "batch_documents", batchDocuments, ">= 1");
            require(batchTokens >= 1, "batch_tokens", batchTokens, ">= 1");
            if (!metric.equals(Metrics.MAP) && !metric.equals(Metrics.MICRO_F1)) {
                throw new UserError(
                        "No epoch can be chosen by '" + metric + "'",
                        "training.metric",
                        "use " + Metrics.MAP + " or " + Metrics.MICRO_F1);
            }
        }

        public FineTuning tuning() {
            return new FineTuning(learningRate, weightDecay, encoderRate, plantedRate, layerDecay, unfreeze);
        }

        TrainerConfig trainer() {
            return new TrainerConfig(epochs, warmup, clip, beta1, beta2, patience);
        }
    }

    /** How dev and test are judged; {@code thresholds} is {@code common} or {@code per_label}. */
    public record Evaluating(String thresholds, int bootstrap, int predictions) {
        public Evaluating {
            if (!thresholds.equals("common") && !thresholds.equals("per_label")) {
                throw new UserError(
                        "There are no thresholds '" + thresholds + "'",
                        "evaluation.thresholds",
                        "use common (one for all codes) or per_label");
            }
            require(bootstrap >= 0, "bootstrap", bootstrap, ">= 0");
            require(predictions >= 1, "predictions", predictions, ">= 1");
        }
    }

    /** Where it runs; 0 threads leaves the number to the engine. */
    public record Computing(String device, Precision precision, int threads) {

        public Computing {
            require(threads >= 0, "threads", threads, ">= 0");
            if (!List.of("auto", "cpu", "cuda").contains(device)) {
                throw new UserError("There is no device '" + device + "'", "compute.device", "use auto, cpu or cuda");
            }
        }

        public Compute open() {
            return Compute.of(device, precision);
        }
    }

    private static void require(boolean holds, String setting, Number value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(setting + ": " + value + " (expected: " + expected + ")");
        }
    }

    /** The same experiment from another seed, under another name. */
    public Experiment withSeed(long other) {
        return with(name + "-s" + other, other, text);
    }

    /** The same experiment on a sample of so many training documents, under another name; on all where it is 0. */
    public Experiment withTrainingDocuments(int count) {
        Text sampled = new Text(text.minCount, text.maxWords, text.minDocuments, count, text.unseen, text.passages);
        return with(count == 0 ? name : name + "-n" + count, seed, sampled);
    }

    private Experiment with(String newName, long newSeed, Text newText) {
        return new Experiment(
                newName,
                newSeed,
                corpus,
                codebooks,
                newText,
                pretrained,
                unlabelled,
                vectors,
                lm,
                mlm,
                relevance,
                rank,
                model,
                training,
                evaluation,
                compute);
    }
}
