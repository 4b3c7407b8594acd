package org.plant4j.experiment;

import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.preparation.CorpusPreparer;
import org.plant4j.support.Arguments;
import org.plant4j.text.ZeroShotLabels;

/**
 * Which tokens, labels and training documents an experiment uses.
 *
 * @param minTokenCount rarer tokens become the unknown token
 * @param minLabelDocuments labels with fewer training documents are not trained
 * @param maxTrainingDocuments size of a random sample of the training documents that depends on the seed, smaller samples
 *     being subsets of larger ones; 0: all
 * @param trainingSample how the sample is drawn
 * @param passageTokens maximum length of the passages around gold evidence on which models train as well; 0: no passages
 */
public record PreprocessingSettings(
        int minTokenCount,
        int maxVocabularySize,
        int minLabelDocuments,
        int maxTrainingDocuments,
        TrainingSample trainingSample,
        ZeroShotLabels zeroShotLabels,
        int passageTokens) {

    /** How a sample of the training documents is drawn. */
    public enum TrainingSample {
        RANDOM,
        /** Labels have about equally many documents. */
        BALANCED;

        /** A sample of some documents of a corpus. */
        public Corpus of(Corpus corpus, int size, long seed) {
            return this == RANDOM ? Corpora.sample(corpus, size, seed) : Corpora.balancedSample(corpus, size, seed);
        }
    }

    public PreprocessingSettings {
        Arguments.atLeast(1, "min_token_count", minTokenCount);
        Arguments.atLeast(1, "max_vocabulary_size", maxVocabularySize);
        Arguments.atLeast(1, "min_label_documents", minLabelDocuments);
        Arguments.atLeast(0, "max_training_documents", maxTrainingDocuments);
        Arguments.atLeast(0, "passage_tokens", passageTokens);
    }

    public CorpusPreparer.Limits limits() {
        return new CorpusPreparer.Limits(minTokenCount, maxVocabularySize, minLabelDocuments);
    }

    PreprocessingSettings withMaxTrainingDocuments(int count) {
        return new PreprocessingSettings(
                minTokenCount,
                maxVocabularySize,
                minLabelDocuments,
                count,
                trainingSample,
                zeroShotLabels,
                passageTokens);
    }
}
