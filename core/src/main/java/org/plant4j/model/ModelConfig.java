package org.plant4j.model;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.annotation.JsonTypeIdResolver;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.rank.RankModel;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;

/**
 * Settings of a model. They also define how it is trained and loaded, and which inputs it needs. In an experiment file
 * {@code type} names a model of the {@link ModelRegistry}.
 *
 * <p>Most of the methods describe inputs that earlier pipeline stages compute; by default a model needs none of them.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.CUSTOM, property = "type")
@JsonTypeIdResolver(ModelTypeIdResolver.class)
public interface ModelConfig {

    /** Trains a model and stores it through the context. Returns false if training was interrupted. */
    boolean train(TrainingContext context);

    /** Loads a trained model from a directory that {@link Model#save} wrote. */
    Model load(Path directory, int vocabularySize, LabelIndex labels, Compute compute);

    /** This configuration, if the model is a neural network. */
    default Optional<NetworkConfig> network() {
        return Optional.empty();
    }

    /** Size of the word vectors that the model starts from. */
    default OptionalInt wordVectorSize() {
        return OptionalInt.empty();
    }

    /** The pretrained encoder that the model starts from, whose tokenizer is then used. */
    default Optional<BertEncoder.Config> pretrainedEncoder() {
        return Optional.empty();
    }

    /** The encoder, if it can be initialised from a language model. */
    default Optional<AwdLstm.Config> languageModel() {
        return Optional.empty();
    }

    /** Whether the model, and the language model it starts from, read documents from the last token to the first. */
    default boolean readsBackward() {
        return false;
    }

    /** Whether the model needs the relevance of tokens to labels. */
    default boolean usesRelevance() {
        return false;
    }

    /** The ranker that the model starts from. */
    default Optional<RankModel.Config> rankModel() {
        return Optional.empty();
    }

    /** Whether the model reads the descriptions of its labels. */
    default boolean usesDescriptions() {
        return false;
    }

    /**
     * Whether the model looks for the words of descriptions in documents, and for those of synonyms if it uses them. They then
     * belong to the vocabulary, in singular and plural, even if no training document has them.
     */
    default boolean matchesDescriptions() {
        return false;
    }

    /**
     * Whether the model recognizes words that no training document has. The words of unlabelled text then belong to the
     * vocabulary, even if nothing is pretrained on it.
     */
    default boolean usesUnlabelledWords() {
        return false;
    }

    /** Whether the model reads synonyms of its labels beside their descriptions. */
    default boolean usesSynonyms() {
        return false;
    }

    /** Whether the model reads translations of the training documents, to translate the names of labels. */
    default boolean usesTranslations() {
        return false;
    }

    /** The directory of a pretrained encoder that the model reads besides its own tokens, such as one of sentences. */
    default Optional<Path> sentenceEncoder() {
        return Optional.empty();
    }

    /** Whether the model proposes labels for a document, so that a training step need not take all. */
    default boolean proposesLabels() {
        return false;
    }

    /** The same model with predictions that score so many labels of a document, or 0 for all; empty if it always scores all. */
    default Optional<ModelConfig> withShortlist(int size) {
        return Optional.empty();
    }

    /** Whether it can be trained by shortlist only. */
    default boolean needsShortlist() {
        return false;
    }

    /**
     * Whether training can start from the weights of a run with other labels: all weights that depend on labels have one row
     * per label.
     */
    default boolean canStartFromRun() {
        return false;
    }

    /** Whether the model scores labels without training documents. */
    default boolean supportsZeroShot() {
        return false;
    }

    /** The experiments whose models form this ensemble; empty for all other models. */
    default List<String> memberExperiments() {
        return List.of();
    }

    /** The seeds with which each member is trained; if empty, the experiment's own seed is used. */
    default List<Long> memberSeeds() {
        return List.of();
    }

    /** How the members are merged, if that is learned on dev. */
    default Optional<MergeSettings> memberMerge() {
        return Optional.empty();
    }

    /**
     * Settings of a learned merge.
     *
     * @param candidates labels of a document that each member proposes
     * @param file with a merge that was learned on another dev split
     */
    record MergeSettings(int candidates, Optional<Path> file) {}
}
