package org.plant4j.experiment;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.plant4j.UserError;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.model.ModelConfig;
import org.plant4j.pretrain.LanguageModelConfig;
import org.plant4j.pretrain.MaskedLanguageModelConfig;
import org.plant4j.pretrain.vectors.WordVectorConfig;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.RankConfig;
import org.plant4j.text.ZeroShotLabels;

/** Checks that the sections of an experiment fit together, before any work is done. */
final class ExperimentChecks {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_@-]([A-Za-z0-9._@-]*[A-Za-z0-9_@-])?");

    /** Windows reserves these names for devices, with any extension. */
    private static final Pattern DEVICE = Pattern.compile("(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\\..*)?");

    private ExperimentChecks() {}

    static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new UserError(
                    "'" + name + "' cannot name a run directory",
                    "name",
                    "use letters, digits, '-', '_', '@' and '.', and no '.' at the start or the end");
        }
        if (DEVICE.matcher(name).matches()) {
            throw new UserError(
                    "'" + name + "' cannot name a run directory",
                    "name",
                    "choose another: Windows reserves it for a device");
        }
    }

    static void checkStart(ModelConfig model, Optional<String> start) {
        if (start.isPresent() && !model.canStartFromRun()) {
            throw new UserError(
                    "The model cannot start from the weights of a run",
                    "start, model.type",
                    "set start: null to train a new model, or use a model that can, such as plant or laat");
        }
    }

    static void checkFolds(Optional<String> start) {
        start.ifPresent(run -> {
            throw new UserError(
                    "A cross-validation cannot start from a run: its weights may have been trained on the documents of any fold",
                    "start: " + run,
                    "train a new model per fold with --set start=null");
        });
    }

    static void checkWordVectors(ModelConfig model, Optional<WordVectorConfig> wordVectors) {
        int size = wordVectors.map(WordVectorConfig::size).orElse(0);
        int embedding = model.wordVectorSize().orElse(size);
        if (size > 0 && embedding != size) {
            throw new UserError(
                    "Word vectors of size " + size + " do not fit an embedding of size " + embedding,
                    "word_vectors.size, model.embedding",
                    "use the same size for both");
        }
    }

    static void checkEncoder(
            ModelConfig model,
            Optional<String> directory,
            Optional<MaskedLanguageModelConfig> maskedLanguageModel,
            Optional<LanguageModelConfig> languageModel) {
        if (directory.isEmpty() && model.pretrainedEncoder().isPresent()) {
            throw new UserError(
                    "The model needs a pretrained encoder, but none is named",
                    "pretrained_encoder",
                    "import one with `plant encoder import SOURCE --output encoders/NAME` and set pretrained_encoder:"
                            + " encoders/NAME");
        }
        model.pretrainedEncoder()
                .ifPresent(encoder -> maskedLanguageModel.ifPresent(config -> checkWindow(config, encoder)));
        model.languageModel().ifPresent(encoder -> languageModel.ifPresent(config -> checkSizes(config, encoder)));
    }

    private static void checkWindow(MaskedLanguageModelConfig config, BertEncoder.Config encoder) {
        if (config.window() > encoder.maxWindow()) {
            throw new UserError(
                    "The encoder cannot read a window of " + config.window() + " tokens",
                    "masked_language_model.window",
                    "use at most " + encoder.maxWindow());
        }
    }

    private static void checkSizes(LanguageModelConfig config, AwdLstm.Config encoder) {
        if (config.embedding() != encoder.embedding()
                || config.hidden() != encoder.hidden()
                || config.layers() != encoder.layers()) {
            throw new UserError(
                    "The sizes of the encoder and of the language model it starts from differ",
                    "language_model, model.encoder",
                    "use the same embedding, hidden and layers for both, or set language_model: null");
        }
    }

    static void checkPlanting(
            ModelConfig model,
            Optional<MutualInformation> mutualInformation,
            Optional<RankConfig> ranker,
            Optional<WordVectorConfig> wordVectors) {
        if (!model.usesRelevance()) {
            return;
        }
        if (mutualInformation.isEmpty()) {
            throw missingSection("mutual_information");
        }
        model.rankModel().ifPresent(rankModel -> {
            RankConfig config = ranker.orElseThrow(() -> missingSection("ranker"));
            int size = wordVectors.map(WordVectorConfig::size).orElse(0);
            if (config.start() == RankConfig.Start.VECTORS && size != rankModel.size()) {
                throw new UserError(
                        size == 0
                                ? "The ranker starts from word vectors, but there are none"
                                : "Word vectors of size " + size + " do not fit a ranker of size " + rankModel.size(),
                        "ranker.start, word_vectors.size, model.ranker.size",
                        "use the same size for both, or set ranker.start: none");
            }
        });
    }

    private static UserError missingSection(String section) {
        return new UserError(
                "The planted model needs the section '" + section + "'",
                section,
                "add it, or extend a model that has it: `extends: plant`");
    }

    static void checkShortlist(ModelConfig model, TrainingSettings training, EvaluationSettings evaluation) {
        if (training.shortlist() > 0 && !model.proposesLabels()) {
            throw new UserError(
                    "The model proposes no labels for training",
                    "training.shortlist",
                    "set it to 0, or use PLANT with model.static: true");
        }
        if (training.shortlist() == 0 && model.needsShortlist()) {
            throw new UserError(
                    "Label weights in bfloat16 are trained by shortlist only",
                    "model.label_precision, training.shortlist",
                    "set training.shortlist, such as 1000, or model.label_precision: float32");
        }
        if (evaluation.shortlistAgreement() > 0 && model.withShortlist(0).isEmpty()) {
            throw new UserError(
                    "The model has no shortlists: it always scores all labels",
                    "evaluation.shortlist_agreement",
                    "set it to 0, or use PLANT");
        }
    }

    static void checkZeroShot(ModelConfig model, ZeroShotLabels labels, boolean hasCodeSet) {
        if (labels == ZeroShotLabels.NONE) {
            return;
        }
        if (!model.supportsZeroShot()) {
            throw new UserError(
                    "The model cannot predict zero-shot labels",
                    "preprocessing.zero_shot_labels",
                    "set it to none, or use a model that reads descriptions, such as description-attention");
        }
        if (!hasCodeSet) {
            throw new UserError(
                    "Zero-shot labels need a code set with their descriptions",
                    "preprocessing.zero_shot_labels, code_sets",
                    "name a code set in code_sets, or set preprocessing.zero_shot_labels: none");
        }
    }

    static void checkTranslations(ModelConfig model, List<CorpusConfig> translations) {
        if (model.usesTranslations() && translations.isEmpty()) {
            throw new UserError(
                    "The model translates names of labels, but there are no translated documents to learn from",
                    "translations",
                    "name a corpus with the training documents in English, or set model.translate: false");
        }
    }
}
