package org.plant4j.domain;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.plant4j.text.Vocabulary;

/**
 * What a text has in common with the training documents.
 *
 * @param tokens number of tokens
 * @param coverage fraction of tokens that occur in the training documents
 * @param logLikelihood mean logarithm of the tokens' frequency in the training documents; low for foreign words
 * @param pairs number of adjacent tokens that both occur in the training documents
 * @param frequentTokens fraction of tokens that are among the most frequent ones, which are function words mostly
 */
record TextFeatures(int tokens, double coverage, double logLikelihood, int pairs, double frequentTokens) {

    /** Computes features with the token counts of a run's vocabulary. */
    static final class Extractor {

        /** Number of tokens that count as most frequent. */
        private static final int FREQUENT = 30;

        /** Added to every count, so that unknown tokens have a probability. */
        private static final double SMOOTHING = 0.5;

        private final Vocabulary vocabulary;
        private final double[] logProbabilities;
        private final long frequentFrom;
        private final double frequentInTraining;

        Extractor(Vocabulary vocabulary) {
            this.vocabulary = vocabulary;
            long[] counts = IntStream.range(Vocabulary.UNKNOWN + 1, vocabulary.size())
                    .mapToLong(vocabulary::count)
                    .sorted()
                    .toArray();
            long known = Arrays.stream(counts).sum();
            double total = known + vocabulary.count(Vocabulary.UNKNOWN) + SMOOTHING * vocabulary.size();
            this.logProbabilities = IntStream.range(0, vocabulary.size())
                    .mapToDouble(token -> Math.log((count(token) + SMOOTHING) / total))
                    .toArray();
            int frequent = Math.min(FREQUENT, counts.length);
            this.frequentFrom = frequent == 0 ? 1 : Math.max(1, counts[counts.length - frequent]);
            this.frequentInTraining =
                    Arrays.stream(counts).filter(count -> count >= frequentFrom).sum() / total;
        }

        private long count(int token) {
            return token <= Vocabulary.UNKNOWN ? 0 : vocabulary.count(token);
        }

        /** The log-likelihood of a text without any known token. */
        double unknownLogLikelihood() {
            return logProbabilities[Vocabulary.UNKNOWN];
        }

        /** The fraction of the training tokens that are among the most frequent ones. */
        double frequentInTraining() {
            return frequentInTraining;
        }

        /** Requires at least one token. */
        TextFeatures of(int[] tokens) {
            int known = 0;
            int frequent = 0;
            int knownPairs = 0;
            double logLikelihood = 0;
            for (int i = 0; i < tokens.length; i++) {
                long count = count(tokens[i]);
                known += count > 0 ? 1 : 0;
                frequent += count >= frequentFrom ? 1 : 0;
                logLikelihood += logProbabilities[tokens[i]];
                if (i > 0 && count > 0 && count(tokens[i - 1]) > 0) {
                    knownPairs++;
                }
            }
            return new TextFeatures(
                    tokens.length,
                    (double) known / tokens.length,
                    logLikelihood / tokens.length,
                    knownPairs,
                    (double) frequent / tokens.length);
        }
    }
}
