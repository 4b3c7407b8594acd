package org.plant4j.experiment;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.metric.MetricNames;
import org.plant4j.model.ModelConfig;
import org.plant4j.pretrain.LanguageModelConfig;
import org.plant4j.pretrain.MaskedLanguageModelConfig;
import org.plant4j.pretrain.vectors.WordVectorConfig;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.RankConfig;
import org.plant4j.rank.RankModel;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Precision;
import org.plant4j.text.CorpusPreparer;
import org.plant4j.text.ZeroShotLabels;
import org.plant4j.train.FineTuning;
import org.plant4j.train.Loss;
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
        PreprocessingSettings text,
        Optional<String> pretrained,
        List<CorpusConfig> unlabelled,
        Optional<WordVectorConfig> vectors,
        Optional<LanguageModelConfig> lm,
        Optional<MaskedLanguageModelConfig> mlm,
        Optional<MutualInformation> relevance,
        Optional<RankConfig> rank,
        ModelConfig model,
        TrainingSettings training,
        EvaluationSettings evaluation,
        ComputeSettings compute) {

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
        int size = vectors.map(WordVectorConfig::size).orElse(0);
        int embedding = model.wordVectorSize().orElse(size);
        if (size > 0 && embedding != size) {
            throw new UserError(
                    "Word vectors of " + size + " numbers do not fit an embedding of " + embedding,
                    "vectors.size, model.embedding",
                    "give both the same number");
        }
        if (pretrained.isEmpty() && model.pretrainedEncoder().isPresent()) {
            throw new UserError(
                    "The model's encoder is one that was pretrained, but none is named",
                    "pretrained",
                    "import one, plant encoder import SOURCE --output encoders/NAME, and name encoders/NAME/encoder.yaml in `extends`");
        }
        model.pretrainedEncoder().ifPresent(encoder -> mlm.ifPresent(config -> checkWindow(config, encoder)));
        model.languageModel().ifPresent(encoder -> lm.ifPresent(config -> checkSizes(config, encoder)));
        if (model.usesRelevance()) {
            checkPlanting(model.rankModel(), relevance, rank, size);
        }
        if (text.unseen() != ZeroShotLabels.NONE) {
            checkZeroShot(model, !codebooks.isEmpty() || corpus.format().equals("demo"));
        }
        codebooks = List.copyOf(codebooks);
        unlabelled = List.copyOf(unlabelled);
    }

    /** The members of an average are asked each by itself. */
    private static void checkZeroShot(ModelConfig model, boolean hasBook) {
        if (!model.supportsZeroShot()) {
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
    public Optional<LanguageModelConfig> languageModel() {
        return model.languageModel().flatMap(encoder -> lm);
    }

    /** The folder that the model's encoder starts from. */
    public Optional<EncoderDirectory> pretrainedEncoder() {
        return model.pretrainedEncoder()
                .flatMap(encoder -> pretrained.map(Path::of).map(EncoderDirectory::new));
    }

    /** How that encoder goes on learning from text before the model starts from it. */
    public Optional<MaskedLanguageModelConfig> furtherPretraining() {
        return model.pretrainedEncoder().flatMap(encoder -> mlm);
    }

    /** That encoder as it then reads. */
    public Optional<BertEncoder.Config> maskedEncoderConfig() {
        return model.pretrainedEncoder().flatMap(encoder -> mlm.map(config -> encoder.withWindow(config.window(), 0)));
    }

    private static void checkWindow(MaskedLanguageModelConfig mlm, BertEncoder.Config encoder) {
        if (mlm.window() > encoder.maxWindow()) {
            throw new UserError(
                    "The encoder cannot read " + mlm.window() + " pieces at once",
                    "mlm.window",
                    "use at most " + encoder.maxWindow());
        }
    }

    private static void checkSizes(LanguageModelConfig lm, AwdLstm.Config encoder) {
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
    public boolean readsBackward() {
        return model.readsBackward();
    }

    /** Whether the model reads what its codes mean, so that it hangs on the code books. */
    public boolean readsDescriptions() {
        return model.usesDescriptions();
    }

    private static void checkPlanting(
            Optional<RankModel.Config> ranker,
            Optional<MutualInformation> relevance,
            Optional<RankConfig> rank,
            int vectorSize) {
        if (relevance.isEmpty() || (ranker.isPresent() && rank.isEmpty())) {
            throw new UserError(
                    "There is nothing to plant: the section is missing",
                    relevance.isEmpty() ? "relevance" : "rank",
                    "give it, or extend a file that does: `extends: plant`");
        }
        boolean fromVectors = ranker.isPresent() && rank.orElseThrow().start() == RankConfig.Start.VECTORS;
        if (fromVectors && vectorSize != ranker.orElseThrow().size()) {
            throw new UserError(
                    vectorSize == 0
                            ? "The ranker is to start from word vectors, but there are none"
                            : "Word vectors of " + vectorSize + " numbers do not fit a ranker of "
                                    + ranker.orElseThrow().size(),
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
    public record PreprocessingSettings(
            int minCount, int maxWords, int minDocuments, int trainingDocuments, ZeroShotLabels unseen, int passages) {

        public PreprocessingSettings {
            new CorpusPreparer.Limits(minCount, maxWords, minDocuments); // told now, not when the corpus is read
            require(trainingDocuments >= 0, "training_documents", trainingDocuments, ">= 0");
            require(passages >= 0, "passages", passages, ">= 0; 0 cuts none");
        }

        public CorpusPreparer.Limits limits() {
            return new CorpusPreparer.Limits(minCount, maxWords, minDocuments);
        }
    }

    /** How a network learns; {@code metric} on dev chooses the epoch that is kept. */
    public record TrainingSettings(
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

        public TrainingSettings {
            new TrainerConfig(epochs, warmup, clip, beta1, beta2, patience); // told now, not after the preparation
            require(warmup >= 0 && warmup < 1, "warmup", warmup, ">= 0 and < 1");
            new FineTuning(learningRate, weightDecay, encoderRate, plantedRate, layerDecay, unfreeze);
            require(batchDocuments >= 1, "batch_documents", batchDocuments, ">= 1");
            require(batchTokens >= 1, "batch_tokens", batchTokens, ">= 1");
            if (!metric.equals(MetricNames.MAP) && !metric.equals(MetricNames.MICRO_F1)) {
                throw new UserError(
                        "No epoch can be chosen by '" + metric + "'",
                        "training.metric",
                        "use " + MetricNames.MAP + " or " + MetricNames.MICRO_F1);
            }
        }

        public FineTuning fineTuning() {
            return new FineTuning(learningRate, weightDecay, encoderRate, plantedRate, layerDecay, unfreeze);
        }

        public TrainerConfig trainerConfig() {
            return new TrainerConfig(epochs, warmup, clip, beta1, beta2, patience);
        }
    }

    /** How dev and test are judged; {@code thresholds} is {@code common} or {@code per_label}. */
    public record EvaluationSettings(String thresholds, int bootstrap, int predictions) {
        public EvaluationSettings {
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
    public record ComputeSettings(String device, Precision precision, int threads) {

        public ComputeSettings {
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
        PreprocessingSettings sampled = new PreprocessingSettings(
                text.minCount, text.maxWords, text.minDocuments, count, text.unseen, text.passages);
        return with(count == 0 ? name : name + "-n" + count, seed, sampled);
    }

    private Experiment with(String newName, long newSeed, PreprocessingSettings newText) {
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
