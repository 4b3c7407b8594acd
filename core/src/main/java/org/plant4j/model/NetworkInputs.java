package org.plant4j.model;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.translation.TextPair;

/**
 * Everything a network is initialised from; each input is present if the experiment provides it and the model uses it.
 *
 * @param wordVectors one vector per token of the vocabulary
 * @param pretrained file of a language model, or directory of a pretrained encoder
 * @param descriptions token ids of each label's description
 * @param synonyms token ids of each label's synonyms
 * @param translations sentences of each training document with those of its English translation
 */
public record NetworkInputs(
        Optional<float[][]> wordVectors,
        Optional<Path> pretrained,
        Optional<Relevance> relevance,
        Optional<RankModel> ranker,
        Optional<List<int[]>> descriptions,
        Optional<List<List<int[]>>> synonyms,
        Optional<List<List<TextPair>>> translations)
        implements AutoCloseable {

    public static final NetworkInputs NONE = new NetworkInputs(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** Initializes a network that was just built. */
    public void initialize(LabelNetwork<?> network) {
        wordVectors.ifPresent(network.embedding()::setVectors);
        pretrained.ifPresent(network::loadPretrained);
        relevance.ifPresent(tokens -> network.plant(tokens, ranker));
        descriptions.ifPresent(network::setDescriptions);
        synonyms.ifPresent(network::setSynonyms);
    }

    @Override
    public void close() {
        ranker.ifPresent(RankModel::close);
    }
}
