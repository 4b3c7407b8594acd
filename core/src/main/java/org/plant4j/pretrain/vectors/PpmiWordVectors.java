package org.plant4j.pretrain.vectors;

import org.plant4j.Progress;
import org.plant4j.support.Arguments;

/**
 * Word vectors by factorization: the leading left singular vectors of the positive pointwise mutual information of
 * co-occurring tokens (Levy, Goldberg and Dagan 2015: on a par with word2vec and GloVe).
 *
 * <p>Memory with P distinct pairs: 32 bytes × P and 128 MB to count, then 16 bytes × P and 40 bytes × vocabulary × (size +
 * 10) to factorize. 100 million tokens over a vocabulary of 60,000 reach the default bound of P and take 1.2 GB.
 *
 * <p>Sparse products run in the caller's fork-join pool, or the common pool; the dense part in libtorch's threads. The
 * vectors depend on the number of threads in rounding only.
 */
public final class PpmiWordVectors {

    /** Singular values below this fraction of the largest are rounding errors; no power may scale them up. */
    private static final double ROUNDING = 1e-7;

    private PpmiWordVectors() {}

    /**
     * Training of PPMI vectors.
     *
     * @param size of a vector
     * @param window largest distance of co-occurring tokens; a pair at distance d has weight 1/d
     * @param smoothing exponent of the context counts; below 1 it reduces the weight of rare contexts
     * @param power exponent of the singular values: 0 weights all directions equally, 1 reconstructs the matrix
     * @param passes iterations that refine the random subspace
     * @param scale root mean square of the components of a vector; 0.1 is that of a new embedding layer
     * @param maxPairs most distinct pairs to hold; beyond it those with the smallest weights are removed
     */
    public record Config(int size, int window, double smoothing, double power, int passes, double scale, int maxPairs)
            implements WordVectorConfig {

        public Config {
            Arguments.atLeast(1, "size", size);
            Arguments.between(1, CooccurrenceCounter.MAX_WINDOW, "window", window);
            Arguments.check(smoothing > 0 && smoothing <= 1, "smoothing", smoothing, "> 0 and <= 1");
            Arguments.fraction("power", power);
            Arguments.atLeast(0, "passes", passes);
            Arguments.positive("scale", scale);
            Arguments.between(1, 1 << 29, "max_pairs", maxPairs);
        }

        /** Settings that suit most corpora. */
        public static Config of(int size) {
            return new Config(size, 5, 0.75, 0.5, 4, 0.1, 1 << 25);
        }

        @Override
        public float[][] train(int vocabularySize, Iterable<int[]> documents, long seed, Progress progress) {
            return PpmiWordVectors.train(this, vocabularySize, documents, seed, progress);
        }
    }

    /**
     * Trains on documents of token ids, which are read once. Padding and unknown tokens form no pairs but count towards
     * distances; their vectors are zero, as are those of tokens without pairs.
     */
    public static float[][] train(
            Config config, int vocabularySize, Iterable<int[]> documents, long seed, Progress progress) {
        Arguments.atLeast(2, "vocabularySize", vocabularySize);
        LinearOperator matrix = new PpmiMatrix(count(config, vocabularySize, documents, progress), config.smoothing());
        try (Progress.Task task = progress.start("factorize word pairs", 2 + 2L * config.passes())) {
            return vectors(config, TruncatedSvd.of(matrix, config.size(), config.passes(), seed, task));
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

    /** Scales the singular vectors by their values and all of them to the requested root mean square. */
    private static float[][] vectors(Config config, TruncatedSvd svd) {
        int rank = svd.values().length;
        double[] strengths = new double[rank];
        for (int i = 0; i < rank; i++) {
            double value = svd.values()[i];
            strengths[i] = value > ROUNDING * svd.values()[0] ? Math.pow(value, config.power()) : 0;
        }
        double squares = 0;
        int nonZero = 0;
        for (double[] row : svd.left()) {
            double norm = 0;
            for (int i = 0; i < rank; i++) {
                row[i] *= strengths[i];
                norm += row[i] * row[i];
            }
            squares += norm;
            nonZero += norm > 0 ? 1 : 0;
        }
        double factor = nonZero == 0 ? 0 : config.scale() / Math.sqrt(squares / nonZero / config.size());
        float[][] vectors = new float[svd.left().length][config.size()];
        for (int token = 0; token < vectors.length; token++) {
            for (int i = 0; i < rank; i++) {
                vectors[token][i] = (float) (factor * svd.left()[token][i] + 0.0); // + 0.0 turns -0 into 0
            }
        }
        return vectors;
    }
}
