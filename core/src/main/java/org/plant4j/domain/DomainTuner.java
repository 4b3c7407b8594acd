package org.plant4j.domain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.plant4j.text.Dataset;
import org.plant4j.text.Vocabulary;

/**
 * Tunes the guard of a run on passages of dev documents of several lengths, so that proper texts of any length rarely
 * raise a false alarm.
 *
 * <p>The threshold of the log-likelihood lies below the lowest dev passages, on the way to a text of unknown tokens. The
 * threshold of the word order lies between what random orders hardly ever reach and the lowest dev passages, close to the
 * former: texts by other authors share fewer phrases with the training documents.
 */
public final class DomainTuner {

    /** The fraction of dev passages that may fall below the threshold of one feature. */
    static final double FALSE_ALARMS = 0.005;

    /** How far the threshold of the log-likelihood is from the lowest dev passages towards unknown tokens. */
    private static final double LIKELIHOOD_TOLERANCE = 0.15;

    /** How far the threshold of the word order is from the lowest dev passages towards random orders. */
    private static final double ORDER_TOLERANCE = 0.75;

    /** The word order of shuffled texts is below this many standard deviations, with very few exceptions. */
    private static final double SHUFFLED = 3;

    private static final int PASSAGES = 2000;

    /** The word order takes longer to compute than the log-likelihood. */
    private static final int ORDERED_PASSAGES = 400;

    private static final int MAX_LENGTH = 512;

    /** The fraction of documents that must be as long as a passage; fewer would decide for all. */
    private static final double MIN_DOCUMENTS = 0.1;

    private final TextFeatures.Extractor features;
    private final TokenPairs pairs;
    private final WordOrder order;
    private final Random random;

    private DomainTuner(Vocabulary vocabulary, TokenPairs pairs, long seed) {
        this.features = new TextFeatures.Extractor(vocabulary);
        this.pairs = pairs;
        this.order = new WordOrder(vocabulary, pairs);
        this.random = new Random(seed);
    }

    /** Tunes on dev, or on the training documents if dev is empty; no profile if there are no tokens at all. */
    public static Optional<DomainProfile> tune(Vocabulary vocabulary, Dataset train, Dataset dev, long seed) {
        DomainTuner tuner = new DomainTuner(vocabulary, TokenPairs.of(train), seed);
        int[] devDocuments = documents(dev, 1);
        Dataset tuned = devDocuments.length > 0 ? dev : train;
        int[] documents = devDocuments.length > 0 ? devDocuments : documents(train, 1);
        return documents.length == 0 ? Optional.empty() : Optional.of(tuner.tune(tuned, documents.length));
    }

    private DomainProfile tune(Dataset dev, int documents) {
        List<LengthThresholds.Point> logLikelihood = new ArrayList<>();
        List<LengthThresholds.Point> wordOrder = new ArrayList<>();
        for (int length = 1; length <= MAX_LENGTH; length *= 2) {
            int[] longEnough = documents(dev, length);
            if (longEnough.length < MIN_DOCUMENTS * documents || longEnough.length == 0) {
                break;
            }
            List<int[]> passages = passages(dev, longEnough, length);
            logLikelihood.add(logLikelihood(length, passages));
            if (length >= DomainGuard.MIN_PAIRS) {
                wordOrder.add(wordOrder(length, passages.subList(0, ORDERED_PASSAGES)));
            }
        }
        return new DomainProfile(
                documents, new LengthThresholds(logLikelihood), new LengthThresholds(wordOrder), pairs);
    }

    private static int[] documents(Dataset dataset, int minTokens) {
        return IntStream.range(0, dataset.size())
                .filter(d -> dataset.length(d) >= minTokens)
                .toArray();
    }

    private List<int[]> passages(Dataset dev, int[] documents, int length) {
        List<int[]> passages = new ArrayList<>(PASSAGES);
        for (int i = 0; i < PASSAGES; i++) {
            int[] tokens = dev.tokens(documents[random.nextInt(documents.length)]);
            int start = random.nextInt(tokens.length - length + 1);
            passages.add(Arrays.copyOfRange(tokens, start, start + length));
        }
        return passages;
    }

    private LengthThresholds.Point logLikelihood(int length, List<int[]> passages) {
        double[] values = sorted(passages, passage -> features.of(passage).logLikelihood());
        return point(length, values, features.unknownLogLikelihood(), LIKELIHOOD_TOLERANCE);
    }

    private LengthThresholds.Point wordOrder(int length, List<int[]> passages) {
        double[] values = sorted(passages, order::score);
        return point(length, values, SHUFFLED, ORDER_TOLERANCE);
    }

    /** Short passages may have values as low as foreign texts; then false alarms alone decide. */
    private static LengthThresholds.Point point(int length, double[] values, double foreign, double tolerance) {
        double lowest = quantile(values, FALSE_ALARMS);
        double threshold = lowest - tolerance * Math.max(0, lowest - foreign);
        return new LengthThresholds.Point(length, threshold, quantile(values, 0.5));
    }

    private static double[] sorted(List<int[]> passages, ToDoubleFunction<int[]> value) {
        return passages.stream().mapToDouble(value).sorted().toArray();
    }

    private static double quantile(double[] sorted, double fraction) {
        return sorted[(int) Math.round(fraction * (sorted.length - 1))];
    }
}
