package org.plant4j.experiment;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.plant4j.corpus.Fold;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.model.ModelConfig;
import org.plant4j.pretrain.LanguageModelConfig;
import org.plant4j.pretrain.MaskedLanguageModelConfig;
import org.plant4j.pretrain.vectors.WordVectorConfig;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.RankConfig;

/**
 * All settings of an experiment, as {@link ExperimentFile} reads them: the components are the sections of its YAML
 * file.
 *
 * @param codeSets files with descriptions of the labels
 * @param synonyms files with further names of the labels
 * @param start directory of a run with the same model, whose vocabulary, labels and weights training starts from
 * @param pretrainedEncoder directory of an encoder, whose tokenizer is used
 * @param unlabelled text to pretrain on besides the training documents
 * @param translations corpora that have training documents in English, under the same ids
 * @param wordVectors trained on that text to initialise token embeddings
 * @param languageModel trained on that text to initialise an AWD-LSTM
 * @param maskedLanguageModel further pretraining of the encoder on that text
 * @param mutualInformation how the relevance of tokens to labels is computed, for planted models
 * @param ranker how the ranker is trained on that relevance
 */
public record Experiment(
        String name,
        long seed,
        CorpusConfig corpus,
        List<String> codeSets,
        List<String> synonyms,
        PreprocessingSettings preprocessing,
        Optional<String> start,
        Optional<String> pretrainedEncoder,
        List<CorpusConfig> unlabelled,
        List<CorpusConfig> translations,
        Optional<WordVectorConfig> wordVectors,
        Optional<LanguageModelConfig> languageModel,
        Optional<MaskedLanguageModelConfig> maskedLanguageModel,
        Optional<MutualInformation> mutualInformation,
        Optional<RankConfig> ranker,
        ModelConfig model,
        TrainingSettings training,
        EvaluationSettings evaluation,
        ComputeSettings compute) {

    public Experiment {
        codeSets = List.copyOf(codeSets);
        synonyms = List.copyOf(synonyms);
        unlabelled = List.copyOf(unlabelled);
        translations = List.copyOf(translations);
        ExperimentChecks.checkName(name);
        ExperimentChecks.checkStart(model, start);
        ExperimentChecks.checkWordVectors(model, wordVectors);
        ExperimentChecks.checkEncoder(model, pretrainedEncoder, maskedLanguageModel, languageModel);
        ExperimentChecks.checkPlanting(model, mutualInformation, ranker, wordVectors);
        ExperimentChecks.checkShortlist(model, training, evaluation);
        boolean hasCodeSet = !codeSets.isEmpty() || corpus.format().equals("demo");
        ExperimentChecks.checkZeroShot(model, preprocessing.zeroShotLabels(), hasCodeSet);
        ExperimentChecks.checkTranslations(model, translations);
    }

    /** The language model that the model's encoder starts from. */
    public Optional<LanguageModelConfig> encoderLanguageModel() {
        return model.languageModel().flatMap(encoder -> languageModel);
    }

    /** The pretrained encoder that the model's encoder starts from. */
    public Optional<EncoderDirectory> encoderDirectory() {
        return model.pretrainedEncoder()
                .flatMap(encoder -> pretrainedEncoder.map(Path::of).map(EncoderDirectory::new));
    }

    /** How that encoder is pretrained further before the model starts from it. */
    public Optional<MaskedLanguageModelConfig> furtherPretraining() {
        return model.pretrainedEncoder().flatMap(encoder -> maskedLanguageModel);
    }

    /** That encoder with the window of further pretraining. */
    public Optional<BertEncoder.Config> maskedEncoderConfig() {
        return model.pretrainedEncoder()
                .flatMap(encoder -> maskedLanguageModel.map(config -> encoder.withWindow(config.window(), 0)));
    }

    /** Whether the model reads documents from the last token to the first. */
    public boolean readsBackward() {
        return model.readsBackward();
    }

    /** Whether the model reads descriptions of labels, so that it depends on the code sets. */
    public boolean readsDescriptions() {
        return model.usesDescriptions();
    }

    /** A copy with another seed, which is appended to the name. */
    public Experiment withSeed(long newSeed) {
        return with(name + "-s" + newSeed, newSeed, corpus, codeSets, preprocessing, start, unlabelled);
    }

    private String nameWithoutSeed() {
        String suffix = "-s" + seed;
        return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
    }

    /** A copy for one fold of a cross-validation, which is appended to the name: it is tested on that fold. */
    public Experiment withFold(Fold fold) {
        ExperimentChecks.checkFolds(start);
        String newName = name + "-fold" + fold.number() + "of" + fold.count();
        return withCorpus(newName, corpus.withOption("fold", fold.toString()), codeSets);
    }

    /**
     * A copy that trains on a sample of the training documents, whose size is appended to the name; 0 trains on all.
     */
    public Experiment withTrainingDocuments(int count) {
        String newName = count == 0 ? name : name + "-n" + count;
        return with(newName, seed, corpus, codeSets, preprocessing.withMaxTrainingDocuments(count), start, unlabelled);
    }

    /** A copy whose corpus is prepared like that of an experiment on the same corpus; its name differs if that changes it. */
    public Experiment preparedLike(Experiment other) {
        return preprocessing.equals(other.preprocessing) && unlabelled.equals(other.unlabelled)
                ? this
                : with(
                        name + "-in-" + other.nameWithoutSeed(),
                        seed,
                        corpus,
                        codeSets,
                        other.preprocessing,
                        start,
                        other.unlabelled);
    }

    /** A copy with the same settings for another corpus with other code sets. */
    public Experiment withCorpus(String newName, CorpusConfig newCorpus, List<String> newCodeSets) {
        return with(newName, seed, newCorpus, newCodeSets, preprocessing, start, unlabelled);
    }

    /** A copy that starts from the weights of a run, or from none. */
    public Experiment withStart(Optional<String> run) {
        return with(name, seed, corpus, codeSets, preprocessing, run, unlabelled);
    }

    /** A copy without unlabelled text if nothing is pretrained on it and its words are not used. */
    Experiment withoutUnusedText() {
        boolean pretrains = wordVectors.isPresent() || languageModel.isPresent() || maskedLanguageModel.isPresent();
        return pretrains || model.usesUnlabelledWords() || unlabelled.isEmpty()
                ? this
                : with(name, seed, corpus, codeSets, preprocessing, start, List.of());
    }

    private Experiment with(
            String newName,
            long newSeed,
            CorpusConfig newCorpus,
            List<String> newCodeSets,
            PreprocessingSettings newPreprocessing,
            Optional<String> newStart,
            List<CorpusConfig> newUnlabelled) {
        return new Experiment(
                newName,
                newSeed,
                newCorpus,
                newCodeSets,
                synonyms,
                newPreprocessing,
                newStart,
                pretrainedEncoder,
                newUnlabelled,
                translations,
                wordVectors,
                languageModel,
                maskedLanguageModel,
                mutualInformation,
                ranker,
                model,
                training,
                evaluation,
                compute);
    }
}
