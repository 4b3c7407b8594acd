package org.plant4j.pretrain.vectors;

import org.plant4j.support.Progress;
import org.plant4j.text.Vocabulary;

/**
 * Word vectors from text without labels: which words stand near which, as positive pointwise mutual information, and
 * the leading singular vectors of that matrix (Levy, Goldberg and Dagan 2015: on a par with word2vec and GloVe).
 *
 * <p>Memory, with P distinct pairs of neighbours: 32 bytes × P and 128 MB to count, then 16 bytes × P and 24 bytes ×
 * vocabulary × (size + 10) to factorise. 100 million tokens over 60,000 words meet the default bound of P, and take 1.2
 * GB.
 *
 * <p>Threads are those of the pool that the caller runs in, else of the common pool; the vectors are the same for any
 * number of them.
 */
public final class PpmiWordVectors {

    /** Singular values this small beside the greatest are rounding, which no power may raise to a direction. */
    private static final double ROUNDING = 1e-7;

    private PpmiWordVectors() {}

    /**
     * How word vectors are learned.
     *
     * @param size numbers a word
     * @param window how many tokens away a neighbour may stand; at distance d it counts 1/d
     * @param smoothing exponent of the contexts' counts: below 1 it tempers the pull of rare contexts
     * @param power exponent of the singular values: 0 weighs all directions alike, 1 rebuilds the matrix
     * @param passes how often the random subspace is refined
     * @param scale root mean square of the numbers of a vector: 0.1 is what an embedding layer begins with
     * @param maxPairs distinct pairs held at most; past it the lightest are forgotten
     */
    public record Config(int size, int window, double smoothing, double power, int passes, double scale, int maxPairs)
            implements WordVectorConfig {

        public Config {
            check(size >= 1, "size", size, ">= 1");
            check(
                    window >= 1 && window <= CooccurrenceCounter.MAX_WINDOW,
                    "window",
                    window,
                    "1 to " + CooccurrenceCounter.MAX_WINDOW);
            check(smoothing > 0 && smoothing <= 1, "smoothing", smoothing, "> 0 and <= 1");
            check(power >= 0 && power <= 1, "power", power, "0 to 1");
            check(passes >= 0, "passes", passes, ">= 0");
            check(scale > 0 && scale < Double.POSITIVE_INFINITY, "scale", scale, "> 0");
            check(maxPairs >= 1 && maxPairs <= 1 << 29, "maxPairs", maxPairs, "1 to " + (1 << 29));
        }

        /** What serves most corpora. */
        public static Config of(int size) {
            return new Config(size, 5, 0.75, 0.5, 4, 0.1, 1 << 25);
        }

        @Override
        public float[][] train(int vocabularySize, Iterable<int[]> documents, long seed, Progress progress) {
            return PpmiWordVectors.train(this, vocabularySize, documents, seed, progress);
        }

        private static void check(boolean holds, String name, Number value, String expected) {
            if (!holds) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
            }
        }
    }

    /**
     * Learns from documents of token ids, read once. Padding and unknown tokens are no neighbours but keep their
     * distance; their rows are zero, as are those of words without a neighbour.
     */
    public static float[][] train(
            Config config, int vocabularySize, Iterable<int[]> documents, long seed, Progress progress) {
        if (vocabularySize <= Vocabulary.UNKNOWN) {
            throw new IllegalArgumentException("vocabularySize: " + vocabularySize + " (expected: >= 2)");
        }
        LinearOperator associations =
                new PpmiMatrix(count(config, vocabularySize, documents, progress), config.smoothing());
        try (Progress.Task task = progress.start("factorize word pairs", 2 + 2L * config.passes())) {
            return vectors(config, TruncatedSvd.of(associations, config.size(), config.passes(), seed, task));
        }
    }

    private static CooccurrenceCounter count(
            Config config, int vocabularySize, Iterable<int[]> documents, Progress progress) {
        CooccurrenceCounter counter =
                new CooccurrenceCounter(vocabularySize, config.window(), config.maxPairs(), CooccurrenceCounter.RUN);
        try (Progress.Task task = progress.start("count word pairs", -1)) {
            for (int[] document : documents) {
                counter.add(document);
                task.advance(1);
            }
            counter.finish();
        }
        return counter;
    }

    private static float[][] vectors(Config config, TruncatedSvd svd) {
        int found = svd.values().length;
        double[] strengths = new double[found];
        for (int i = 0; i < found; i++) {
            strengths[i] = svd.values()[i] > ROUNDING * svd.values()[0] ? Math.pow(svd.values()[i], config.power()) : 0;
        }
        double squares = 0;
        int words = 0;
        for (double[] row : svd.left()) {
            double norm = 0;
            for (int i = 0; i < found; i++) {
                row[i] *= strengths[i];
                norm += row[i] * row[i];
            }
            squares += norm;
            words += norm > 0 ? 1 : 0;
        }
        double factor = words == 0 ? 0 : config.scale() / Math.sqrt(squares / words / config.size());
        float[][] vectors = new float[svd.left().length][config.size()];
        for (int word = 0; word < vectors.length; word++) {
            for (int i = 0; i < found; i++) {
                vectors[word][i] = (float) (factor * svd.left()[word][i]);
            }
        }
        return vectors;
    }
}
